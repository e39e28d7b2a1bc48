import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../support/until.js';
import { FakeTime } from './fake-time.js';
import { failureOf, powerBiFixture, type PowerBiFixture, revenue, sales } from './power-bi-fixture.js';

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

const tokens = async (): Promise<number> => (await fixture.calls(/GenerateToken/)).length;
const works = async (): Promise<boolean> =>
  fixture.powerBi.generateToken(revenue).then(
    () => true,
    () => false,
  );

async function fail(times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) await failureOf(fixture.powerBi.generateToken(revenue));
}

describe('a circuit breaker', () => {
  test('OUT-05 opens when half of twenty calls fail, and then sends nothing', async () => {
    await fixture.fault({ path: 'GenerateToken', status: 500 });
    await fail(20);
    const asked = await tokens();
    expect(asked).toBeGreaterThanOrEqual(20);
    expect(await failureOf(fixture.powerBi.generateToken(revenue))).toMatchObject({
      code: 'power_bi_unavailable',
      retryAfter: 10,
      cause: { failure: 'circuit_open' },
    });
    expect(await tokens()).toBe(asked);
  });

  test('OUT-05 lets one call through after ten seconds, and then after twice as long', async () => {
    // The probe of its own fails too.
    await fixture.fault({ path: 'v1.0', status: 500 });
    await fail(20);
    await fixture.forgetCalls();
    time.advance(9);
    await fail(3);
    expect(await tokens()).toBe(0);
    time.advance(1.1);
    await fail(3);
    expect(await tokens()).toBe(1);
    time.advance(19);
    await fail(3);
    expect(await tokens()).toBe(1);
    time.advance(1.1);
    await fail(3);
    expect(await tokens()).toBe(2);
  });

  test('OUT-05 closes with the first successful response', async () => {
    await fixture.fault({ path: 'v1.0', status: 500 });
    await fail(20);
    await fixture.clearFaults();
    time.advance(10.1);
    expect(await works()).toBe(true);
    expect(await works()).toBe(true);
  });

  test('OUT-05 stays open when the caller of that call leaves, because nothing was answered', async () => {
    await fixture.fault({ path: 'v1.0', status: 500 });
    await fail(20);
    await fixture.clearFaults();
    await fixture.fault({ path: 'GenerateToken', delay_ms: 60_000 });
    // The probe of its own fails.
    await fixture.fault({ path: 'v1.0', status: 500 });
    time.advance(10.1);
    await fixture.forgetCalls();
    const caller = new AbortController();
    const call = failureOf(fixture.powerBi.generateToken({ ...revenue, signal: caller.signal }));
    await until(async () => (await tokens()) === 1);
    caller.abort(new Error('gone'));
    await call;
    expect(await failureOf(fixture.powerBi.generateToken(revenue))).toMatchObject({
      cause: { failure: 'circuit_open' },
    });
    expect(await tokens()).toBe(1);
  });

  test('OUT-05 refuses other calls at once while that call lasts', async () => {
    await fixture.fault({ path: 'v1.0', status: 500 });
    await fail(20);
    await fixture.clearFaults();
    await fixture.fault({ path: 'GenerateToken', hang: true, times: 1 });
    // The probe of its own fails.
    await fixture.fault({ path: 'v1.0', status: 500 });
    time.advance(10.1);
    await fixture.forgetCalls();
    const caller = new AbortController();
    const trial = failureOf(fixture.powerBi.generateToken({ ...revenue, signal: caller.signal }));
    await until(async () => (await tokens()) === 1);
    const refused = await Promise.all(
      Array.from({ length: 40 }, () => failureOf(fixture.powerBi.generateToken(revenue))),
    );
    for (const error of refused) expect(error).toMatchObject({ cause: { failure: 'circuit_open' } });
    expect(await fixture.powerBi.status()).toMatchObject({ status: 'down' });
    caller.abort(new Error('gone'));
    await trial;
  });

  test('OUT-05 does not open for 4xx responses and throttling', async () => {
    await fixture.fault({ path: 'GenerateToken', status: 400, times: 30 });
    await fail(30);
    expect(await works()).toBe(true);
  });

  test('OUT-05 is separate for Entra: an open one does not stop calls with a cached token', async () => {
    expect(await works()).toBe(true);
    await fixture.fault({ path: '/oauth2/', status: 500 });
    time.advance(3600 - 200);
    for (let n = 0; n < 30; n += 1) await fixture.powerBi.listReports(sales);
    expect(await fixture.powerBi.status()).toMatchObject({ status: 'degraded' });
    await fixture.clearFaults();
  });
});

describe('an outage of an hour', () => {
  test.each([1, 5])(
    'OUT-13 at %i calls/s adds at most a tenth, and ends within 15 s',
    async (rate) => {
      expect(await works()).toBe(true);
      await fixture.forgetCalls();
      await fixture.fault({ path: 'v1.0', status: 503 });
      const made = 3600 * rate;
      for (let n = 0; n < made; n += 1) {
        time.advance(1 / rate);
        await failureOf(fixture.powerBi.generateToken(revenue));
      }
      expect(await tokens()).toBeLessThanOrEqual(made * 1.1);
      expect(await fixture.powerBi.status()).toMatchObject({ status: 'down' });
      await fixture.clearFaults();
      time.advance(15);
      expect(await until(works)).toBe(true);
      expect(await fixture.powerBi.status()).toEqual({ status: 'ok' });
    },
    600_000,
  );

  test('OUT-13 the breaker closes by itself, without a caller', async () => {
    await fixture.fault({ path: 'v1.0', status: 503 });
    await fail(20);
    await until(() => time.sleeping === 1);
    await fixture.clearFaults();
    await fixture.forgetCalls();
    time.advance(10);
    await until(async () => (await fixture.calls(/groups$/)).length === 1);
    await until(async () => (await fixture.powerBi.status()).status === 'ok');
    expect(await fixture.calls(/groups$/)).toHaveLength(1);
    // What failed before is forgotten: one more failure opens nothing.
    await fixture.fault({ path: 'GenerateToken', status: 500, times: 1 });
    await fail(1);
    expect(await works()).toBe(true);
  });
});
