import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '../support/until.js';
import { startFaultyServer, startFaultySocket } from './faulty-server.js';
import { failureOf, powerBiFixture, revenue, sales } from './power-bi-fixture.js';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of closing.splice(0).toReversed()) await each.close();
});

async function fixtureOf(options: Parameters<typeof powerBiFixture>[0]) {
  const fixture = await powerBiFixture(options);
  closing.push(fixture);
  return fixture;
}

/** Longer than any test: a limit that must not be the one that ends a call. */
const ENDLESS_MS = 3_600_000;

const unavailable = { code: 'power_bi_unavailable', retryAfter: expect.any(Number) };

describe('timeouts', () => {
  test('OUT-01 a connection that is not established is aborted after the connect timeout', async () => {
    // Takes the connection and never shakes hands.
    const server = await startFaultySocket(() => undefined);
    closing.push(server);
    const { powerBi } = await fixtureOf({
      config: { apiUrl: server.url.replace('http:', 'https:') },
      limits: { connectMs: 200, tryMs: ENDLESS_MS, totalMs: ENDLESS_MS },
    });
    const error = await failureOf(powerBi.listReports(sales));
    expect(error).toMatchObject({ ...unavailable, cause: { failure: 'timed_out' } });
  });

  test('OUT-01 an attempt without a response is aborted, and retried', async () => {
    const { powerBi, fault, calls } = await fixtureOf({ limits: { tryMs: 2000 } });
    await fault({ path: '/reports$', hang: true, times: 1 });
    const reports = await powerBi.listReports(sales);
    expect(reports.length).toBeGreaterThan(0);
    expect(await calls(/\/reports$/)).toHaveLength(2);
  });

  test('OUT-01 the operation ends at its deadline, whatever its attempts do', async () => {
    for (const tryMs of [100, ENDLESS_MS]) {
      const { powerBi, fault } = await fixtureOf({ limits: { tryMs, totalMs: 700 } });
      await fault({ path: 'GenerateToken', hang: true });
      expect(await failureOf(powerBi.generateToken(revenue))).toMatchObject(unavailable);
    }
  });

  test('OUT-01 a sign-in without a response counts against the same deadline', async () => {
    const { powerBi, fault } = await fixtureOf({ limits: { tryMs: ENDLESS_MS, totalMs: 300 } });
    await fault({ path: '/oauth2/v2.0/token', hang: true });
    expect(await failureOf(powerBi.listReports(sales))).toMatchObject(unavailable);
  });

  test('OUT-01 a body that arrives too slowly is aborted', async () => {
    const server = await startFaultyServer((_request, response) => {
      response.write('{"value": [');
      const drip = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(drip));
    });
    closing.push(server);
    const { powerBi } = await fixtureOf({ config: { apiUrl: server.url }, limits: { tryMs: 300 } });
    expect(await failureOf(powerBi.listReports(sales))).toMatchObject(unavailable);
  });

  test('OUT-01 a silent connection is aborted', async () => {
    const server = await startFaultySocket(() => undefined);
    closing.push(server);
    const { powerBi } = await fixtureOf({ config: { apiUrl: server.url }, limits: { tryMs: 200 } });
    await expect(powerBi.listReports(sales)).rejects.toMatchObject(unavailable);
  });
});

describe('a caller that disconnects', () => {
  test('OUT-15 aborts the call upstream', async () => {
    let closed = 0;
    let open = 0;
    const server = await startFaultyServer((_request, response) => {
      open += 1;
      response.on('close', () => (closed += 1));
    });
    closing.push(server);
    const { powerBi } = await fixtureOf({ config: { apiUrl: server.url } });
    const caller = new AbortController();
    const call = powerBi.generateToken({ ...revenue, signal: caller.signal });
    const failure = failureOf(call);
    await until(() => open === 1);
    caller.abort(new Error('left'));
    expect(await failure).toHaveProperty('message', 'left');
    await until(() => closed === 1);
    expect(open).toBe(1);
  });

  test('OUT-15 does not affect others that wait for the same sign-in', async () => {
    const { powerBi, fault, calls } = await fixtureOf({});
    await fault({ path: '/oauth2/v2.0/token', delay_ms: 300, times: 1 });
    const caller = new AbortController();
    const left = failureOf(powerBi.listReports(sales, { signal: caller.signal }));
    const stayed = powerBi.listReports(sales);
    caller.abort(new Error('left'));
    expect(await left).toHaveProperty('message', 'left');
    expect((await stayed).length).toBeGreaterThan(0);
    expect(await calls(/oauth2/)).toHaveLength(1);
  });
});
