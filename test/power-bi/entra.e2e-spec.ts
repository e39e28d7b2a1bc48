import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../support/until.js';
import { FakeTime } from './fake-time.js';
import { failureOf, powerBiFixture, type PowerBiFixture, revenue, sales } from './power-bi-fixture.js';

const MINUTE = 60;
let time: FakeTime;
let fixture: PowerBiFixture;

beforeEach(async () => {
  time = new FakeTime();
  fixture = await powerBiFixture({ parts: { timing: time } });
});
afterEach(async () => {
  await fixture.close();
  time.end();
});

const signIns = async (): Promise<number> => (await fixture.calls(/oauth2/)).length;
const list = () => fixture.powerBi.listReports(sales);
const mint = () => fixture.powerBi.generateToken(revenue);

describe('the access token', () => {
  test('OUT-07 is fetched once for concurrent callers, and cached', async () => {
    await Promise.all(Array.from({ length: 20 }, list));
    time.advance(30 * MINUTE);
    await Promise.all(Array.from({ length: 20 }, list));
    expect(await signIns()).toBe(1);
  });

  test('OUT-07 is renewed five minutes before its expiry, while callers use the current one', async () => {
    await fixture.close();
    // Whoever waited for the renewal, which hangs, would wait for ever.
    const limits = { tryMs: 3_600_000, totalMs: 3_600_000 };
    fixture = await powerBiFixture({ parts: { timing: time }, limits });
    await list();
    time.advance(55 * MINUTE - 5);
    await list();
    expect(await signIns()).toBe(1);
    time.advance(10);
    await fixture.fault({ path: '/oauth2/', hang: true, times: 1 });
    await list();
    await until(async () => (await signIns()) === 2);
  });

  test('OUT-07 is renewed with up to 30 s of random jitter per replica', async () => {
    time.random = () => 0.99;
    await list();
    time.advance(55 * MINUTE - 25);
    await list();
    await until(async () => (await signIns()) === 2);
  });

  test('OUT-07 is used until its expiry while Entra is down', async () => {
    await list();
    await fixture.fault({ path: '/oauth2/', status: 503 });
    time.advance(59 * MINUTE);
    expect((await list()).length).toBeGreaterThan(0);
    time.advance(2 * MINUTE);
    expect(await failureOf(list())).toMatchObject({ code: 'power_bi_unavailable' });
  });

  test('OUT-08 that Power BI reports as expired is replaced once, and the call is repeated once', async () => {
    await list();
    await fixture.advance(61 * MINUTE);
    time.advance(MINUTE);
    expect((await list()).length).toBeGreaterThan(0);
    expect((await fixture.calls(/\/reports$/)).map(({ status }) => status)).toEqual([200, 403, 200]);
    expect(await signIns()).toBe(2);
  });

  test('OUT-08 that was revoked is replaced', async () => {
    await list();
    time.advance(MINUTE);
    const headers = { 'www-authenticate': 'Bearer realm="", error="insufficient_claims", claims="e30="' };
    await fixture.fault({ path: '/reports$', status: 401, headers, times: 1 });
    expect((await list()).length).toBeGreaterThan(0);
    expect(await signIns()).toBe(2);
  });

  test('OUT-08 that is rejected repeatedly is not replaced each time', async () => {
    await list();
    time.advance(MINUTE);
    const headers = { 'x-powerbi-error-info': 'TokenExpired' };
    await fixture.fault({ path: '/reports$', status: 403, headers });
    for (let n = 0; n < 5; n += 1) {
      expect(await failureOf(list())).toMatchObject({ code: 'power_bi_access_denied' });
    }
    expect(await signIns()).toBe(2);
    expect(await fixture.calls(/\/reports$/)).toHaveLength(1 + 2 + 4);
  });

  test('OUT-08 is replaced when the clock of the server was set back', async () => {
    await list();
    time.advance(-60 * MINUTE);
    // The clocks of Power BI and the service are one in the test.
    await fixture.advance((60 + 61) * MINUTE);
    expect((await list()).length).toBeGreaterThan(0);
    expect(await signIns()).toBe(2);
  });

  test('OUT-08 is valid for a job after each wait for a throttle window', async () => {
    await fixture.fault({ path: '/reports$', retry_after: 60 * MINUTE, times: 2 });
    const listing = fixture.powerBi.listReports(sales, { patient: true });
    for (let window = 1; window <= 2; window += 1) {
      await until(() => time.sleeping === 1);
      time.advance(60 * MINUTE + 1);
    }
    expect((await listing).length).toBeGreaterThan(0);
    expect((await fixture.calls(/\/reports$/)).map(({ status }) => status)).toEqual([429, 429, 200]);
  });

  test('OUT-08 is not renewed after a 401, which means “no access” here', async () => {
    await list();
    time.advance(MINUTE);
    await fixture.fault({ path: '/reports$', status: 401 });
    await failureOf(list());
    expect(await signIns()).toBe(1);
  });
});

describe('the lifetime of embed tokens', () => {
  test('is never below the minimum: the access token is renewed first', async () => {
    await mint();
    time.advance(29 * MINUTE);
    expect((await mint()).expiresIn).toBeGreaterThanOrEqual(30 * MINUTE);
    expect(await signIns()).toBe(1);
    time.advance(MINUTE);
    expect((await mint()).expiresIn).toBeGreaterThan(59 * MINUTE);
    expect(await signIns()).toBe(2);
  });

  test('has its minimum or no token is issued, while Entra is down', async () => {
    await mint();
    await fixture.fault({ path: '/oauth2/', status: 503 });
    time.advance(31 * MINUTE);
    expect(await failureOf(mint())).toMatchObject({ code: 'power_bi_unavailable' });
    expect((await list()).length).toBeGreaterThan(0);
  });

  test('is correct after a clock change', async () => {
    await mint();
    await fixture.advance(45 * MINUTE);
    time.advance(2 * MINUTE);
    expect((await mint()).expiresIn).toBeGreaterThanOrEqual(30 * MINUTE);
    expect(await signIns()).toBe(2);
  });

  test('is correct after the clock of the server was set back', async () => {
    await mint();
    time.advance(-60 * MINUTE);
    await fixture.advance((60 + 45) * MINUTE);
    expect((await mint()).expiresIn).toBeGreaterThanOrEqual(30 * MINUTE);
    expect(await signIns()).toBe(2);
  });

  test('is measured by Power BI’s clock', async () => {
    await fixture.advance(-90 * MINUTE);
    const { expiresIn } = await mint();
    expect(expiresIn).toBeGreaterThan(59 * MINUTE);
    expect(expiresIn).toBeLessThanOrEqual(60 * MINUTE);
  });

  test('is limited by the Entra token when that is shorter than the minimum', async () => {
    await fixture.settings({ entra_token_seconds: 120 });
    expect((await mint()).expiresIn).toBeGreaterThan(100);
    time.advance(50);
    expect((await mint()).expiresIn).toBeGreaterThan(60);
    expect(await signIns()).toBe(1);
    time.advance(15);
    expect((await mint()).expiresIn).toBeGreaterThan(100);
    expect(await signIns()).toBe(2);
  });
});
