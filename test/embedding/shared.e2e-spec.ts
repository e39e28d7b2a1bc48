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

let embedding: Embedding;
let sales: Workspace;
let revenue: Report;
let region: Report;

async function start(variables: Record<string, string>): Promise<void> {
  embedding = await startEmbedding(variables);
  sales = await embedding.workspace('Sales');
  revenue = await embedding.report('Revenue overview');
  region = await embedding.report('My region');
  const policy = { username: '{{email}}', roles: ['{{attributes.region}}'] };
  await embedding.policy(await embedding.service.asAdmin(), 'Sales by region', policy);
  await embedding.forgetCalls();
}
afterEach(() => embedding.service.close());

async function person(role?: 'viewer' | 'editor', until?: Date): Promise<Person> {
  const user = await embedding.service.factory.user({ attributes: { region: 'Europe' } });
  await embedding.service.factory.grant(user, sales, role, until);
  return { user, api: await embedding.service.as(user) };
}
const persons = (count: number): Promise<Person[]> =>
  Promise.all(Array.from({ length: count }, () => person()));

/** What each of them is handed, all at the same time. */
const tokensOf = (people: readonly Person[], report: Report, body?: object): Promise<string[]> =>
  Promise.all(
    people.map(async ({ api }) => {
      const response = await embedding.embed(api, report, body);
      expect(response.status).toBe(200);
      return response.body.token_id;
    }),
  );

describe('EMBED_TOKENS_SHARED=true', () => {
  beforeEach(() => start({ EMBED_TOKENS_SHARED: 'true' }));

  test('users without an effective identity share one token, recorded for each of them', async () => {
    const people = await persons(10);
    const [id, ...others] = await tokensOf(people, revenue);
    expect(new Set(others)).toEqual(new Set([id]));
    const later = await person();
    expect(await tokensOf([later], revenue)).toEqual([id]);
    expect(await embedding.tokenRequests()).toHaveLength(1);
    const ids = [...people, later].map(({ user }) => user.id).toSorted();
    const owners = (table: string, column: string) =>
      embedding.service.database.query<{ id: string }[]>(`SELECT ${column} AS id FROM ${table} ORDER BY 1`);
    expect(await owners('issued_tokens', 'user_id')).toEqual(ids.map((each) => ({ id: each })));
    expect(await owners(`audit_events WHERE action = 'embed_token_issued'`, 'actor_id')).toEqual(
      ids.map((each) => ({ id: each })),
    );
  });

  test('AZ-15 users with an effective identity get separate tokens', async () => {
    const people = await persons(3);
    expect(new Set(await tokensOf(people, region)).size).toBe(3);
    const names = (await embedding.tokenRequests()).map(
      ({ body }) => (body!.identities as { username: string }[])[0]!.username,
    );
    expect(names.toSorted()).toEqual(people.map(({ user }) => user.email).toSorted());
  });

  test('AZ-06 edit access, another report and an expiring right require separate tokens', async () => {
    const soon = new Date(embedding.service.clock.now().getTime() + 20.5 * 60_000);
    const [ada, bob, eve] = [await person('editor'), await person('editor'), await person('viewer', soon)];
    const [view = ''] = await tokensOf([ada], revenue);
    const edits = await tokensOf([ada, bob], revenue, { access: 'edit' });
    const [short = ''] = await tokensOf([eve], revenue);
    const [other = ''] = await tokensOf([ada], await embedding.report('Pipeline'));
    expect(new Set([view, short, other, ...edits]).size).toBe(5);
    expect(await tokensOf([bob], revenue)).toEqual([view]);
  });

  test('AZ-05 a user without access gets no shared token', async () => {
    const [ada] = (await persons(1)) as [Person];
    await tokensOf([ada], revenue);
    const stranger = await embedding.service.as(await embedding.service.factory.user());
    expect((await embedding.embed(stranger, revenue)).status).toBe(404);
    const admin = await embedding.service.asAdmin();
    const bob = await person();
    const revoked = await admin.post('/api/embed-grants/revoke', { user_id: bob.user.id });
    expect(revoked.status).toBe(201);
    expect((await embedding.embed(bob.api, revenue)).status).toBe(403);
    expect((await embedding.embed(ada.api, revenue)).status).toBe(200);
  });

  test('a token issued before a revocation is not returned afterwards', async () => {
    const [ada, bob] = (await persons(2)) as [Person, Person];
    const [before] = await tokensOf([ada], revenue);
    const admin = await embedding.service.asAdmin();
    const { body } = await admin.post('/api/embed-grants/revoke', { report_id: revenue.id });
    expect((await embedding.embed(bob.api, revenue)).status).toBe(403);
    await admin.delete(`/api/embed-grants/revocations/${body.id as string}`);
    const [after] = await tokensOf([bob], revenue);
    expect(after).not.toBe(before);
  });

  test('is renewed once for all users when the minimum lifetime no longer remains', async () => {
    const people = await persons(5);
    const [first] = await tokensOf(people, revenue);
    await embedding.advance(31 * 60);
    for (const each of people) each.api = await embedding.service.as(each.user);
    const [next, ...others] = await tokensOf(people, revenue);
    expect(next).not.toBe(first);
    expect(new Set(others)).toEqual(new Set([next]));
    expect(await embedding.tokenRequests()).toHaveLength(2);
  });
});

test('without the setting each user has a separate token', async () => {
  await start({});
  expect(new Set(await tokensOf(await persons(3), revenue)).size).toBe(3);
  expect(await embedding.tokenRequests()).toHaveLength(3);
});
