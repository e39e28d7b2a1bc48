import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { type Embedding, startEmbedding } from './embedding.js';

interface Person {
  user: User;
  api: Client;
}

let world: Embedding;
let sales: Workspace;
let revenue: Report;
let region: Report;

async function start(variables: Record<string, string>): Promise<void> {
  world = await startEmbedding(variables);
  sales = await world.workspace('Sales');
  revenue = await world.report('Revenue overview');
  region = await world.report('My region');
  const policy = { username: '{{email}}', roles: ['{{attributes.region}}'] };
  await world.policy(await world.service.asAdmin(), 'Sales by region', policy);
  await world.forgetCalls();
}
afterEach(() => world.service.close());

async function person(role?: 'viewer' | 'editor', until?: Date): Promise<Person> {
  const user = await world.service.factory.user({ attributes: { region: 'Europe' } });
  await world.service.factory.grant(user, sales, role, until);
  return { user, api: await world.service.as(user) };
}
const persons = (count: number): Promise<Person[]> =>
  Promise.all(Array.from({ length: count }, () => person()));

/** What each of them is handed, all at the same time. */
const tokensOf = (people: readonly Person[], report: Report, body?: object): Promise<string[]> =>
  Promise.all(
    people.map(async ({ api }) => {
      const answer = await world.embed(api, report, body);
      expect(answer.status).toBe(200);
      return answer.body.token_id;
    }),
  );

describe('EMBED_TOKENS_SHARED=true', () => {
  beforeEach(() => start({ EMBED_TOKENS_SHARED: 'true' }));

  test('people who are nobody inside the data get one token, and each has it on record', async () => {
    const people = await persons(10);
    const [id, ...others] = await tokensOf(people, revenue);
    expect(new Set(others)).toEqual(new Set([id]));
    const later = await person();
    expect(await tokensOf([later], revenue)).toEqual([id]);
    expect(await world.asked()).toHaveLength(1);
    const ids = [...people, later].map(({ user }) => user.id).toSorted();
    const owners = (table: string, column: string) =>
      world.service.database.query<{ id: string }[]>(`SELECT ${column} AS id FROM ${table} ORDER BY 1`);
    expect(await owners('embed_grants', 'user_id')).toEqual(ids.map((each) => ({ id: each })));
    expect(await owners(`audit_events WHERE action = 'embed_token_issued'`, 'actor_id')).toEqual(
      ids.map((each) => ({ id: each })),
    );
  });

  test('AZ-15 who is somebody inside the data has a token of their own', async () => {
    const people = await persons(3);
    expect(new Set(await tokensOf(people, region)).size).toBe(3);
    const names = (await world.asked()).map(
      ({ body }) => (body!.identities as { username: string }[])[0]!.username,
    );
    expect(names.toSorted()).toEqual(people.map(({ user }) => user.email).toSorted());
  });

  test('AZ-06 editing, another report and a right that ends are other tokens', async () => {
    const soon = new Date(world.service.clock.now().getTime() + 20.5 * 60_000);
    const [ada, bob, eve] = [await person('editor'), await person('editor'), await person('viewer', soon)];
    const [view = ''] = await tokensOf([ada], revenue);
    const edits = await tokensOf([ada, bob], revenue, { access: 'edit' });
    const [short = ''] = await tokensOf([eve], revenue);
    const [other = ''] = await tokensOf([ada], await world.report('Pipeline'));
    expect(new Set([view, short, other, ...edits]).size).toBe(5);
    expect(await tokensOf([bob], revenue)).toEqual([view]);
  });

  test('AZ-05 who has no right gets nothing of it', async () => {
    const [ada] = (await persons(1)) as [Person];
    await tokensOf([ada], revenue);
    const stranger = await world.service.as(await world.service.factory.user());
    expect((await world.embed(stranger, revenue)).status).toBe(404);
    const admin = await world.service.asAdmin();
    const bob = await person();
    const revoked = await admin.post('/api/embed-grants/revoke', { user_id: bob.user.id });
    expect(revoked.status).toBe(201);
    expect((await world.embed(bob.api, revenue)).status).toBe(403);
    expect((await world.embed(ada.api, revenue)).status).toBe(200);
  });

  test('what was revoked for a report is handed to nobody afterwards', async () => {
    const [ada, bob] = (await persons(2)) as [Person, Person];
    const [before] = await tokensOf([ada], revenue);
    const admin = await world.service.asAdmin();
    const { body } = await admin.post('/api/embed-grants/revoke', { report_id: revenue.id });
    expect((await world.embed(bob.api, revenue)).status).toBe(403);
    await admin.delete(`/api/embed-grants/revocations/${body.id as string}`);
    const [after] = await tokensOf([bob], revenue);
    expect(after).not.toBe(before);
  });

  test('is renewed once for all when the promised minimum is no longer left', async () => {
    const people = await persons(5);
    const [first] = await tokensOf(people, revenue);
    await world.advance(31 * 60);
    for (const each of people) each.api = await world.service.as(each.user);
    const [next, ...others] = await tokensOf(people, revenue);
    expect(next).not.toBe(first);
    expect(new Set(others)).toEqual(new Set([next]));
    expect(await world.asked()).toHaveLength(2);
  });
});

test('without the setting everybody has a token of their own', async () => {
  await start({});
  expect(new Set(await tokensOf(await persons(3), revenue)).size).toBe(3);
  expect(await world.asked()).toHaveLength(3);
});
