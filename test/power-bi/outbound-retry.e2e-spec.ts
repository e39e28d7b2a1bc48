import { afterEach, describe, expect, test } from '@jest/globals';
import { mayHaveStarted } from '../../src/power-bi/translate.js';
import { until } from '../support/until.js';
import { FakeTime } from './fake-time.js';
import { startFaultyServer } from './faulty-server.js';
import { failureOf, powerBiFixture, revenue, sales } from './power-bi-fixture.js';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of closing.splice(0).toReversed()) await each.close();
});

async function fixtureOf(options: Parameters<typeof powerBiFixture>[0] = {}) {
  const fixture = await powerBiFixture(options);
  closing.push(fixture);
  return fixture;
}

function fakeTime(): FakeTime {
  const time = new FakeTime();
  closing.push({ close: async () => time.end() });
  return time;
}

describe('retries', () => {
  test.each([
    ['a reset connection', { reset: true }],
    ['a 500', { status: 500 }],
    ['a 503', { status: 503 }],
  ])('OUT-02 %s is retried twice', async (_name, kind) => {
    const { powerBi, fault, calls } = await fixtureOf();
    await fault({ path: '/reports$', ...kind, times: 2 });
    expect((await powerBi.listReports(sales)).length).toBeGreaterThan(0);
    expect(await calls(/\/reports$/)).toHaveLength(3);
  });

  test('OUT-02 there is no third retry', async () => {
    const { powerBi, fault, calls } = await fixtureOf();
    await fault({ path: 'GenerateToken', status: 500 });
    expect(await failureOf(powerBi.generateToken(revenue))).toMatchObject({ code: 'power_bi_unavailable' });
    expect(await calls(/GenerateToken/)).toHaveLength(3);
  });

  test.each([400, 401, 404])('OUT-02 a %i is not retried', async (status) => {
    const { powerBi, fault, calls } = await fixtureOf();
    await fault({ path: '/reports$', status });
    await failureOf(powerBi.listReports(sales));
    expect(await calls(/\/reports$/)).toHaveLength(1);
  });

  describe('OUT-02 the start of an export', () => {
    const order = {
      pbiWorkspaceId: sales,
      pbiReportId: revenue.reports[0]!,
      reportType: 'PowerBIReport',
    } as const;
    const start = ({ powerBi }: Awaited<ReturnType<typeof fixtureOf>>) =>
      failureOf(
        powerBi.exports.start(
          { ...order, format: 'PDF', identity: null, pages: [], viewState: null },
          'a',
          {},
        ),
      );

    test.each([
      ['is not retried after a reset connection', { reset: true }, 1, true],
      ['is not retried after an unreadable response', { status: 200, body: 'x' }, 1, true],
      ['is retried after a 503', { status: 503 }, 3, false],
    ])('%s', async (_name, kind, tries, isUnknown) => {
      const fixture = await fixtureOf();
      await fixture.fault({ path: 'ExportTo$', ...kind });
      const failure = await start(fixture);
      expect(failure).toMatchObject({ code: 'power_bi_unavailable' });
      expect(mayHaveStarted(failure)).toBe(isUnknown);
      expect(await fixture.calls(/ExportTo$/)).toHaveLength(tries);
    });

    test('is known not to have happened if the connection is refused', async () => {
      const fixture = await fixtureOf({ config: { apiUrl: 'http://127.0.0.1:1' } });
      const failure = await start(fixture);
      expect(failure).toMatchObject({ code: 'power_bi_unavailable' });
      expect(mayHaveStarted(failure)).toBe(false);
    });
  });

  test('OUT-03 retries are limited to a tenth of the calls, plus ten', async () => {
    const { powerBi, fault, calls } = await fixtureOf();
    await fault({ path: '/reports$', status: 500 });
    for (let n = 0; n < 20; n += 1) {
      await failureOf(powerBi.listReports(sales));
      // Enough that works, so that the breaker stays closed.
      for (let good = 0; good < 6; good += 1) await powerBi.listDatasets(sales);
    }
    const tries = (await calls(/\/reports$/)).length;
    expect(tries).toBeGreaterThan(20 + 10);
    expect(tries).toBeLessThanOrEqual(20 + 10 + 0.1 * (20 * 6));
  });

  test('OUT-03 failures that are not retried use up no retries', async () => {
    const { powerBi, fault } = await fixtureOf();
    await fault({ path: '/reports$', status: 404, times: 12 });
    for (let n = 0; n < 12; n += 1) await failureOf(powerBi.listReports(sales));
    await fault({ path: '/reports$', status: 500, times: 1 });
    expect((await powerBi.listReports(sales)).length).toBeGreaterThan(0);
  });
});

describe('throttling', () => {
  test('OUT-04 after a 429 nothing is sent until Retry-After has passed', async () => {
    const time = fakeTime();
    const { powerBi, fault, calls } = await fixtureOf({ parts: { timing: time } });
    await fault({ path: '/reports$', retry_after: 60, times: 1 });
    const throttled = { code: 'power_bi_throttled', retryAfter: 60 };
    expect(await failureOf(powerBi.listReports(sales))).toMatchObject(throttled);
    expect(await failureOf(powerBi.generateToken(revenue))).toMatchObject(throttled);
    time.advance(57);
    expect(await failureOf(powerBi.generateToken(revenue))).toMatchObject({ ...throttled, retryAfter: 3 });
    expect(await calls(/v1.0/)).toHaveLength(1);
    time.advance(3.1);
    expect(await powerBi.generateToken(revenue)).toHaveProperty('token');
  });

  test('OUT-04 Retry-After can be a date, compared with the Date header', async () => {
    const time = fakeTime();
    const { powerBi, fault } = await fixtureOf({ parts: { timing: time } });
    const headers = { date: 'Sat, 01 Jan 2050 00:00:00 GMT', 'retry-after': 'Sat, 01 Jan 2050 00:00:30 GMT' };
    await fault({ path: '/reports$', status: 429, headers, times: 1 });
    expect(await failureOf(powerBi.listReports(sales))).toMatchObject({
      code: 'power_bi_throttled',
      retryAfter: 30,
    });
    time.advance(31);
    expect((await powerBi.listReports(sales)).length).toBeGreaterThan(0);
  });

  test('OUT-04 a 503 with Retry-After is respected like a 429', async () => {
    const time = fakeTime();
    const { powerBi, fault, calls } = await fixtureOf({ parts: { timing: time } });
    await fault({ path: '/reports$', status: 503, retry_after: 20, times: 1 });
    const failure = { code: 'power_bi_unavailable', retryAfter: 20 };
    expect(await failureOf(powerBi.listReports(sales))).toMatchObject(failure);
    expect(await failureOf(powerBi.listReports(sales))).toMatchObject(failure);
    expect(await calls(/\/reports$/)).toHaveLength(1);
  });

  test('OUT-04 a job waits until Retry-After has passed, and records the time', async () => {
    const time = fakeTime();
    const { powerBi, fault } = await fixtureOf({ parts: { timing: time } });
    await fault({ path: '/reports$', retry_after: 120, times: 1 });
    const meter = { calls: 0, throttledSeconds: 0 };
    const listing = powerBi.listReports(sales, { patient: true, meter });
    await until(() => time.sleeping === 1);
    // Waits with it, for the same time.
    const other = powerBi.listDatasets(sales, { patient: true, meter });
    await until(() => time.sleeping === 2);
    time.advance(121);
    expect((await listing).length).toBeGreaterThan(0);
    expect((await other).length).toBeGreaterThan(0);
    expect(meter).toMatchObject({ calls: 3, throttledSeconds: 120 });
  });

  test('OUT-03 calls that do not wait until Retry-After has passed use up no retries', async () => {
    const time = fakeTime();
    const { powerBi, fault, calls, release } = await fixtureOf({ parts: { timing: time } });
    const headers = { 'retry-after': '60', RequestId: 'c0ffee' };
    await fault({ path: '/reports$', status: 429, headers, hold: true, times: 10 });
    const failures = Array.from({ length: 10 }, () => failureOf(powerBi.listReports(sales)));
    await until(async () => (await calls(/\/reports$/)).length === 10);
    await release();
    for (const failure of failures) {
      expect(await failure).toMatchObject({
        code: 'power_bi_throttled',
        retryAfter: 60,
        cause: { facts: { upstreamRequestId: 'c0ffee' } },
      });
    }
    time.advance(61);
    await fault({ path: '/reports$', status: 500, times: 1 });
    expect((await powerBi.listReports(sales)).length).toBeGreaterThan(0);
  });

  test('OUT-04 a job waits until the Retry-After of Entra has passed', async () => {
    const time = fakeTime();
    const { powerBi, fault, calls } = await fixtureOf({ parts: { timing: time } });
    await fault({ path: '/oauth2/', retry_after: 60, times: 1 });
    const meter = { calls: 0, throttledSeconds: 0 };
    const listing = powerBi.listReports(sales, { patient: true, meter });
    await until(() => time.sleeping === 1);
    time.advance(61);
    expect((await listing).length).toBeGreaterThan(0);
    expect(await calls(/oauth2/)).toHaveLength(2);
    expect(meter).toMatchObject({ calls: 1, throttledSeconds: 60 });
  });

  test('OUT-04 throttling by Entra does not affect Power BI', async () => {
    const time = fakeTime();
    const { powerBi, fault, calls } = await fixtureOf({ parts: { timing: time } });
    await fault({ path: '/oauth2/', retry_after: 60, times: 1 });
    expect(await failureOf(powerBi.listReports(sales))).toMatchObject({ code: 'power_bi_throttled' });
    expect(await failureOf(powerBi.listReports(sales))).toMatchObject({ code: 'power_bi_throttled' });
    expect(await calls(/oauth2/)).toHaveLength(1);
  });
});

describe('concurrency', () => {
  test('OUT-06 32 concurrent calls, 64 queued for a second, and the rest is rejected immediately', async () => {
    let open = 0;
    let most = 0;
    const server = await startFaultyServer((_request, response) => {
      most = Math.max(most, (open += 1));
      response.on('close', () => (open -= 1));
    });
    closing.push(server);
    const { powerBi } = await fixtureOf({ config: { apiUrl: server.url }, limits: { queueMs: 300 } });
    const caller = new AbortController();
    const call = () => failureOf(powerBi.listReports(sales, { signal: caller.signal }));
    const held = Array.from({ length: 32 }, call);
    await until(() => open === 32);
    const waiting = Array.from({ length: 64 }, call);
    const busy = { code: 'power_bi_unavailable', retryAfter: 1, cause: { failure: 'busy' } };
    for (const each of Array.from({ length: 5 }, call)) expect(await each).toMatchObject(busy);
    for (const each of waiting) expect(await each).toMatchObject(busy);
    expect(most).toBe(32);
    caller.abort(new Error('enough'));
    for (const each of held) expect(await each).toHaveProperty('message', 'enough');
  });
});
