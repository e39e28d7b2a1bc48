import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { TokenReuse } from '../../src/embed/token-reuse.js';
import { TokenUsageService } from '../../src/embed/token-usage.service.js';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { until } from '../support/until.js';
import { type Embedding, startEmbedding } from './embedding.js';

let embedding: Embedding;
let sales: Workspace;
let revenue: Report;
let region: Report;

beforeAll(async () => {
  embedding = await startEmbedding({
    MAX_REQUESTS_IN_FLIGHT: '2000',
    // Many connections at once, to a service that shares its loop with the one who asks.
    HEADERS_TIMEOUT_SECONDS: '60',
    REQUEST_TIMEOUT_SECONDS: '60',
    REQUEST_DEADLINE_SECONDS: '60',
    EMBED_DEADLINE_SECONDS: '60',
  });
  sales = await embedding.workspace('Sales');
  revenue = await embedding.report('Revenue overview');
  region = await embedding.report('My region');
  const policy = { username: '{{email}}', roles: ['{{attributes.region}}'] };
  await embedding.policy(await embedding.service.asAdmin(), 'Sales by region', policy);
});
afterAll(() => embedding.service.close());
beforeEach(() => embedding.forgetCalls());
afterEach(async () => {
  jest.restoreAllMocks();
  await embedding.clearFaults();
  await embedding.settings({ latency_ms: 0 });
});

/** So many at the same time, over as many connections. */
const times = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));

interface Identity {
  username: string;
  roles: string[];
}

describe('RACE-09 concurrent requests for one report', () => {
  test('1,000 requests of one user cause one call', async () => {
    const ada = await embedding.service.asMember(sales);
    await embedding.settings({ latency_ms: 300 });
    // The first 125 wait for the call; a thousand at once may wait longer for a database connection than they may.
    const sent = await times(125, async () => {
      const responses = [];
      for (let n = 0; n < 8; n += 1) responses.push(await embedding.embed(ada, revenue));
      return responses;
    });
    const responses = sent.flat();
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ body }) => body.token)).size).toBe(1);
    expect(await embedding.tokenRequests()).toHaveLength(1);
    await embedding.service.app.get(TokenUsageService).flush();
    const [grant] = await embedding.service.database.query(
      'SELECT times_issued FROM issued_tokens WHERE token_id = $1',
      [responses[0]!.body.token_id],
    );
    expect(grant).toEqual({ times_issued: 1000 });
  });

  test('AZ-15 requests of 60 users cause 60 calls, each with the right identity', async () => {
    const people: { user: User; region: string; api: Client }[] = [];
    // 32 calls may run, and others may wait for a second.
    for (let n = 0; n < 60; n += 1) {
      const region = n % 2 === 0 ? 'Europe' : 'Americas';
      const user = await embedding.service.factory.user({ attributes: { region } });
      await embedding.service.factory.grant(user, sales);
      people.push({ user, region, api: await embedding.service.as(user) });
    }
    await embedding.forgetCalls();
    await embedding.settings({ latency_ms: 20 });
    const responses = await times(180, (n) => embedding.embed(people[n % 60]!.api, region));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const tokenRequests = (await embedding.tokenRequests()).map(
      (call) => (call.body!.identities as Identity[])[0]!,
    );
    expect(tokenRequests.map(({ username }) => username).toSorted((a, b) => a.localeCompare(b))).toEqual(
      people.map(({ user }) => user.email).toSorted((a, b) => a.localeCompare(b)),
    );
    for (const { username, roles } of tokenRequests) {
      expect(roles).toEqual([people.find(({ user }) => user.email === username)!.region]);
    }
    const grants = await embedding.service.database.query('SELECT token_id, user_id FROM issued_tokens');
    const owner = new Map(
      grants.map((row: { token_id: string; user_id: string }) => [row.token_id, row.user_id]),
    );
    responses.forEach(({ body }, n) => expect(owner.get(body.token_id)).toBe(people[n % 60]!.user.id));
  });

  test('a failure is returned to all waiting requests, and the next request starts a new call', async () => {
    const ada = await embedding.service.asMember(sales);
    const share = jest.spyOn(TokenReuse.prototype, 'share');
    await embedding.fault({ status: 404, hold: true, times: 1 });
    const sent = times(5, () => embedding.embed(ada, revenue));
    await until(() => share.mock.calls.length >= 5);
    await until(async () => (await embedding.tokenRequests()).length >= 1);
    await embedding.clearFaults();
    const responses = await sent;
    expect(responses.map(({ body }) => body.code)).toEqual(Array(5).fill('power_bi_report_missing'));
    expect(await embedding.tokenRequests()).toHaveLength(1);
    expect((await embedding.embed(ada, revenue)).status).toBe(200);
  });
});

describe('OUT-15 callers that disconnect', () => {
  /** An ask over a connection of its own that can be torn. */
  function ask(caller: Client): { leave: () => void; gone: Promise<void> } {
    const url = new URL(`/api/reports/${revenue.id}/embed-token`, embedding.service.url);
    const sent = request(url, { method: 'POST', headers: { authorization: `Bearer ${caller.token}` } });
    const gone = new Promise<void>((resolve) => sent.once('error', () => resolve()));
    sent.end();
    return { leave: () => sent.destroy(), gone };
  }

  const underWay = () => until(async () => (await embedding.tokenRequests()).length >= 1);

  test('do not affect the others that wait for the same token', async () => {
    const ada = await embedding.service.asMember(sales);
    await embedding.fault({ hold: true, times: 1 });
    const first = ask(ada);
    await underWay();
    const others = times(20, () => embedding.embed(ada, revenue));
    first.leave();
    await first.gone;
    await embedding.clearFaults();
    expect((await others).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await embedding.tokenRequests()).length).toBeLessThanOrEqual(2);
  });

  test('abort the call when the last one disconnects, and nothing is recorded', async () => {
    const ada = await embedding.service.asMember(sales);
    const count = async () =>
      (await embedding.service.database.query('SELECT count(*)::int AS rows FROM issued_tokens'))[0].rows;
    const before = await count();
    await embedding.fault({ hang: true, times: 1 });
    const asks = [ask(ada), ask(ada)];
    await underWay();
    for (const { leave } of asks) leave();
    await Promise.all(asks.map(({ gone }) => gone));
    await embedding.clearFaults();
    // A new ask does not wait for the one that hangs.
    expect((await embedding.embed(ada, revenue)).status).toBe(200);
    expect(await embedding.tokenRequests()).toHaveLength(2);
    expect((await embedding.tokenRequests())[0]!.status).toBeUndefined();
    expect(await count()).toBe(before + 1);
  });
});
