import { afterEach, describe, expect, test } from 'vitest';
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

/** How the work failed, and after how long. */
async function failed(work: Promise<unknown>) {
  const started = performance.now();
  const error = await failureOf(work);
  return { error, seconds: (performance.now() - started) / 1000 };
}

const unavailable = { code: 'power_bi_unavailable', retryAfter: expect.any(Number) };

describe('timeouts', () => {
  test('OUT-01 a connection that is not established is aborted after the connect timeout', async () => {
    // Takes the connection and never shakes hands.
    const server = await startFaultySocket(() => undefined);
    closing.push(server);
    const { powerBi } = await fixtureOf({
      config: { apiUrl: server.url.replace('http:', 'https:') },
      limits: { connectMs: 200, tryMs: 20_000, totalMs: 20_000 },
    });
    const { error, seconds } = await failed(powerBi.listReports(sales));
    expect(error).toMatchObject({ ...unavailable, cause: { failure: 'timed_out' } });
    expect(seconds).toBeLessThan(6);
  });

  test('OUT-01 an attempt without a response is aborted, and retried', async () => {
    const { powerBi, fault, calls } = await fixtureOf({ limits: { tryMs: 200 } });
    await fault({ path: '/reports$', hang: true, times: 1 });
    const reports = await powerBi.listReports(sales);
    expect(reports.length).toBeGreaterThan(0);
    expect(await calls(/\/reports$/)).toHaveLength(2);
  });

  test('OUT-01 the operation ends at its deadline, whatever its attempts do', async () => {
    const { powerBi, fault, calls } = await fixtureOf({ limits: { tryMs: 400, totalMs: 700 } });
    await fault({ path: 'GenerateToken', hang: true });
    const { error, seconds } = await failed(powerBi.generateToken(revenue));
    expect(error).toMatchObject(unavailable);
    expect(seconds).toBeGreaterThan(0.6);
    expect(seconds).toBeLessThan(1.2);
    expect(await calls(/GenerateToken/)).toHaveLength(2);
  });

  test('OUT-01 a sign-in without a response counts against the same deadline', async () => {
    const { powerBi, fault } = await fixtureOf({ limits: { tryMs: 2000, totalMs: 300 } });
    await fault({ path: '/oauth2/v2.0/token', hang: true });
    const { error, seconds } = await failed(powerBi.listReports(sales));
    expect(error).toMatchObject(unavailable);
    expect(seconds).toBeLessThan(1);
  });

  test('OUT-01 a body that arrives too slowly is aborted', async () => {
    const server = await startFaultyServer((_request, response) => {
      response.write('{"value": [');
      const drip = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(drip));
    });
    closing.push(server);
    const { powerBi } = await fixtureOf({ config: { apiUrl: server.url }, limits: { tryMs: 300 } });
    const { error, seconds } = await failed(powerBi.listReports(sales));
    expect(error).toMatchObject(unavailable);
    expect(seconds).toBeLessThan(2);
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
