import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '../support/until.js';
import { misbehaving, misbehavingSocket } from './misbehaving.js';
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

describe('three clocks', () => {
  test('OUT-01 a connection that does not come about is given up after the connect time', async () => {
    // Takes the connection and never shakes hands.
    const server = await misbehavingSocket(() => undefined);
    closing.push(server);
    const { powerBi } = await fixtureOf({
      config: { apiUrl: server.url.replace('http:', 'https:') },
      limits: { connectMs: 200, tryMs: 20_000, totalMs: 20_000 },
    });
    const { error, seconds } = await failed(powerBi.listReports(sales));
    expect(error).toMatchObject({ ...unavailable, cause: { failure: 'timed_out' } });
    expect(seconds).toBeLessThan(6);
  });

  test('OUT-01 a try that hangs is given up, and tried again', async () => {
    const { powerBi, fault, calls } = await fixtureOf({ limits: { tryMs: 200 } });
    await fault({ path: '/reports$', hang: true, times: 1 });
    const reports = await powerBi.listReports(sales);
    expect(reports.length).toBeGreaterThan(0);
    expect(await calls(/\/reports$/)).toHaveLength(2);
  });

  test('OUT-01 the whole operation ends in its time, whatever its tries do', async () => {
    const { powerBi, fault, calls } = await fixtureOf({ limits: { tryMs: 400, totalMs: 700 } });
    await fault({ path: 'GenerateToken', hang: true });
    const { error, seconds } = await failed(powerBi.generateToken(revenue));
    expect(error).toMatchObject(unavailable);
    expect(seconds).toBeGreaterThan(0.6);
    expect(seconds).toBeLessThan(1.2);
    expect(await calls(/GenerateToken/)).toHaveLength(2);
  });

  test('OUT-01 a sign-in that hangs counts against the same clock', async () => {
    const { powerBi, fault } = await fixtureOf({ limits: { tryMs: 2000, totalMs: 300 } });
    await fault({ path: '/oauth2/v2.0/token', hang: true });
    const { error, seconds } = await failed(powerBi.listReports(sales));
    expect(error).toMatchObject(unavailable);
    expect(seconds).toBeLessThan(1);
  });

  test('OUT-01 a body that drips is given up', async () => {
    const server = await misbehaving((_request, response) => {
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

  test('OUT-01 a connection that is taken and then silent is given up', async () => {
    const server = await misbehavingSocket(() => undefined);
    closing.push(server);
    const { powerBi } = await fixtureOf({ config: { apiUrl: server.url }, limits: { tryMs: 200 } });
    await expect(powerBi.listReports(sales)).rejects.toMatchObject(unavailable);
  });
});

describe('a caller that goes away', () => {
  test('OUT-15 aborts the call upstream', async () => {
    let closed = 0;
    let open = 0;
    const server = await misbehaving((_request, response) => {
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

  test('OUT-15 takes nothing from others that wait for the same sign-in', async () => {
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
