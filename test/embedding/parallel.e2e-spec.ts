import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { TokenUsageService } from '../../src/embed/token-usage.service.js';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { until } from '../support/until.js';
import { type Embedding, startEmbedding } from './embedding.js';

let world: Embedding;
let sales: Workspace;
let revenue: Report;
let region: Report;

beforeAll(async () => {
  world = await startEmbedding({
    MAX_REQUESTS_IN_FLIGHT: '2000',
    // A thousand connections at once, to a service that shares its loop with the one who asks.
    HEADERS_TIMEOUT_SECONDS: '60',
    REQUEST_TIMEOUT_SECONDS: '60',
    REQUEST_DEADLINE_SECONDS: '60',
    EMBED_DEADLINE_SECONDS: '60',
  });
  sales = await world.workspace('Sales');
  revenue = await world.report('Revenue overview');
  region = await world.report('My region');
  const policy = { username: '{{email}}', roles: ['{{attributes.region}}'] };
  await world.policy(await world.service.asAdmin(), 'Sales by region', policy);
});
afterAll(() => world.service.close());
beforeEach(() => world.forgetCalls());
afterEach(async () => {
  await world.clearFaults();
  await world.settings({ latency_ms: 0 });
});

/** So many at the same time, over as many connections. */
const times = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));

interface Identity {
  username: string;
  roles: string[];
}

describe('RACE-09 parallel asks for one report', () => {
  test('1,000 by one person are one call', async () => {
    const ada = await world.service.asMember(sales);
    await world.settings({ latency_ms: 300 });
    const answers = await times(1000, () => world.embed(ada, revenue));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.token)).size).toBe(1);
    expect(await world.asked()).toHaveLength(1);
    await world.service.app.get(TokenUsageService).flush();
    const [grant] = await world.service.database.query(
      'SELECT handed_out FROM embed_grants WHERE token_id = $1',
      [answers[0]!.body.token_id],
    );
    expect(grant).toEqual({ handed_out: 1000 });
  }, 60_000);

  test('AZ-15 by 100 persons are 100 calls, and nobody is taken for another', async () => {
    const people: { user: User; region: string; api: Client }[] = [];
    for (let n = 0; n < 100; n += 1) {
      const region = n % 2 === 0 ? 'Europe' : 'Americas';
      const user = await world.service.factory.user({ attributes: { region } });
      await world.service.factory.grant(user, sales);
      people.push({ user, region, api: await world.service.as(user) });
    }
    await world.forgetCalls();
    await world.settings({ latency_ms: 100 });
    // Within half a second: at the very same moment 100 calls are more than the 32 that may run and the 64 that may wait.
    const answers = await times(300, async (n) => {
      await sleep((n % 100) * 5);
      return world.embed(people[n % 100]!.api, region);
    });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const asked = (await world.asked()).map((call) => (call.body!.identities as Identity[])[0]!);
    expect(asked.map(({ username }) => username).toSorted((a, b) => a.localeCompare(b))).toEqual(
      people.map(({ user }) => user.email).toSorted((a, b) => a.localeCompare(b)),
    );
    for (const { username, roles } of asked) {
      expect(roles).toEqual([people.find(({ user }) => user.email === username)!.region]);
    }
    const grants = await world.service.database.query('SELECT token_id, user_id FROM embed_grants');
    const owner = new Map(
      grants.map((row: { token_id: string; user_id: string }) => [row.token_id, row.user_id]),
    );
    answers.forEach(({ body }, n) => expect(owner.get(body.token_id)).toBe(people[n % 100]!.user.id));
  }, 60_000);

  test('a failure is told to all that waited, and the next ask begins anew', async () => {
    const ada = await world.service.asMember(sales);
    await world.fault({ status: 404, delay_ms: 300, times: 1 });
    const answers = await times(5, () => world.embed(ada, revenue));
    expect(answers.map(({ body }) => body.code)).toEqual(Array(5).fill('power_bi_report_missing'));
    expect(await world.asked()).toHaveLength(1);
    expect((await world.embed(ada, revenue)).status).toBe(200);
  });
});

describe('OUT-15 callers that go away', () => {
  /** An ask over a connection of its own that can be torn. */
  function ask(caller: Client): { leave: () => void; gone: Promise<void> } {
    const url = new URL(`/api/reports/${revenue.id}/embed-token`, world.service.url);
    const sent = request(url, { method: 'POST', headers: { authorization: `Bearer ${caller.token}` } });
    const gone = new Promise<void>((resolve) => sent.once('error', () => resolve()));
    sent.end();
    return { leave: () => sent.destroy(), gone };
  }

  const underWay = () => until(async () => (await world.asked()).length === 1);

  test('take nothing from the others that wait for the same', async () => {
    const ada = await world.service.asMember(sales);
    await world.fault({ delay_ms: 1500, times: 1 });
    const first = ask(ada);
    await underWay();
    const others = times(20, () => world.embed(ada, revenue));
    first.leave();
    await first.gone;
    expect((await others).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await world.asked()).length).toBeLessThanOrEqual(2);
  });

  test('the last of them ends the call, and nothing is recorded', async () => {
    const ada = await world.service.asMember(sales);
    const count = async () =>
      (await world.service.database.query('SELECT count(*)::int AS rows FROM embed_grants'))[0].rows;
    const before = await count();
    await world.fault({ hang: true, times: 1 });
    const asks = [ask(ada), ask(ada)];
    await underWay();
    for (const { leave } of asks) leave();
    await Promise.all(asks.map(({ gone }) => gone));
    await world.clearFaults();
    // A new ask does not wait for the one that hangs.
    expect((await world.embed(ada, revenue)).status).toBe(200);
    expect(await world.asked()).toHaveLength(2);
    expect((await world.asked())[0]!.status).toBeUndefined();
    expect(await count()).toBe(before + 1);
  });
});
