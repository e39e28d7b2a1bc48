import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { IssuedTokenCleanupService } from '../../src/embed/issued-token-cleanup.service.js';
import { TokenUsageService } from '../../src/embed/token-usage.service.js';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { type Replica, startReplica } from '../support/replica.js';
import { type Embedding, startEmbedding } from './embedding.js';

let world: Embedding;
let replica: Replica;
let admin: Client;
let sales: Workspace;
let finance: Workspace;
let revenue: Report;

beforeAll(async () => {
  world = await startEmbedding();
  replica = await startReplica(world.service);
  admin = await world.service.asAdmin();
  sales = await world.workspace('Sales');
  finance = await world.workspace('Finance');
  revenue = await world.report('Revenue overview');
});
afterAll(async () => {
  await replica.close();
  await world.service.close();
});

interface Grants {
  embed_grants: Record<string, unknown>[];
}
interface Revocation {
  id: string;
  active_tokens: number;
  ended_at_latest: string | null;
}

async function person(role: 'viewer' | 'manager' = 'viewer'): Promise<{ user: User; api: Client }> {
  const user = await world.service.factory.user();
  await world.service.factory.grant(user, sales, role);
  return { user, api: await world.service.as(user) };
}

const grants = async (query = '') => (await admin.get<Grants>(`/api/embed-grants${query}`)).body.embed_grants;
const revoke = (api: Client, body: object) => api.post<Revocation>('/api/embed-grants/revoke', body);
const lift = (api: Client, id: string) => api.delete(`/api/embed-grants/revocations/${id}`);
const refused = { status: 403, body: { code: 'embed_access_revoked' } };

describe('GET /api/embed-grants', () => {
  test('200: who got which token, how often, as whom, and never the token', async () => {
    const { user, api } = await person();
    const { body } = await world.embed(api, revenue);
    await world.embed(api, revenue);
    await world.service.app.get(TokenUsageService).flush();
    expect(await grants(`?user_id=${user.id}`)).toEqual([
      {
        id: expect.any(String),
        token_id: body.token_id,
        user_id: user.id,
        report_id: revenue.id,
        workspace_id: sales.id,
        access: 'view',
        identity: null,
        issued_at: expect.any(String),
        expires_at: body.expires_at,
        handed_out: 2,
        last_handed_out_at: expect.any(String),
        ip: '127.0.0.1',
        request_id: expect.any(String),
      },
    ]);
  });

  test('200: by report, by workspace, by whether they are still good, in pages', async () => {
    const { user, api } = await person();
    for (const name of ['Pipeline', 'Product mix']) await world.embed(api, await world.report(name));
    const pipeline = await world.report('Pipeline');
    expect(await grants(`?user_id=${user.id}&report_id=${pipeline.id}`)).toHaveLength(1);
    expect(await grants(`?user_id=${user.id}&workspace_id=${finance.id}`)).toHaveLength(0);
    expect(await grants(`?user_id=${user.id}&active=true`)).toHaveLength(2);
    expect(await grants(`?user_id=${user.id}&active=false`)).toHaveLength(0);
    const page = await admin.get<Grants>(`/api/embed-grants?user_id=${user.id}&limit=1`);
    const next = /<([^>]+)>/.exec(page.headers.get('link') ?? '')![1]!;
    const after = await admin.get<Grants>(next);
    const ids = [...page.body.embed_grants, ...after.body.embed_grants].map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
  });

  test.each(['active=yes', 'user_id=7', 'q=x', 'person=1'])('400: %s', async (query) => {
    expect((await admin.get(`/api/embed-grants?${query}`)).status).toBe(400);
  });
});

describe('grants', () => {
  test('are kept for 90 days after the end of their token', async () => {
    const { user, api } = await person();
    await world.embed(api, revenue);
    const upkeep = world.service.app.get(IssuedTokenCleanupService);
    const end = (days: number) =>
      world.service.database.query(
        `UPDATE embed_grants SET expires_at = now() - make_interval(days => $1) WHERE user_id = $2`,
        [days, user.id],
      );
    await end(89);
    await upkeep.removeOld();
    expect(await grants(`?user_id=${user.id}`)).toHaveLength(1);
    await end(91);
    await upkeep.removeOld();
    expect(await grants(`?user_id=${user.id}`)).toHaveLength(0);
  });

  test('they lie in months: made ahead, and gone whole when they are old', async () => {
    const { database, app } = world.service;
    const insert = (issuedAt: Date) =>
      database.query(
        `INSERT INTO embed_grants (id, token_id, user_id, report_id, workspace_id, access, issued_at, expires_at,
           last_handed_out_at)
         SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'view',
           $1, $1::timestamptz + interval '1 hour', $1`,
        [issuedAt],
      );
    const partitionOf = (date: Date) => `embed_grants_${date.toISOString().slice(0, 7).replace('-', '')}`;
    const partitions = async () => {
      const rows = await database.query<{ name: string }[]>(
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'embed_grants'::regclass`,
      );
      return rows.map(({ name }) => name);
    };
    const recent = new Date(Date.now() - 40 * 86_400_000);
    await insert(new Date('2019-03-31T23:59:59Z'));
    await insert(recent);
    await Promise.all([
      app.get(IssuedTokenCleanupService).maintain(),
      app.get(IssuedTokenCleanupService).maintain(),
    ]);
    const left = await partitions();
    expect(left).toContain('embed_grants_default');
    expect(left).toContain(partitionOf(recent));
    expect(left).toContain(partitionOf(new Date(Date.now() + 31 * 86_400_000)));
    expect(left).not.toContain('embed_grants_201903');
    expect(await database.query('SELECT FROM embed_grants_default')).toEqual([]);
  });
});

describe('POST /api/embed-grants/revoke', () => {
  test('201: by person, at once, on every replica, also for a token that could be reused there', async () => {
    const { user, api } = await person();
    const there = replica.as(api);
    const [here] = await Promise.all([world.embed(api, revenue), world.embed(there, revenue)]);
    const answer = await revoke(admin, { user_id: user.id, reason: 'lost laptop' });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        user_id: user.id,
        report_id: null,
        workspace_id: null,
        reason: 'lost laptop',
        active_tokens: 2,
      },
    });
    const end = new Date(answer.body.ended_at_latest!).getTime();
    expect(end).toBeGreaterThanOrEqual(new Date(here.body.expires_at).getTime());
    for (const caller of [api, there]) expect(await world.embed(caller, revenue)).toMatchObject(refused);
    expect((await lift(admin, answer.body.id)).status).toBe(204);
    for (const caller of [api, there]) expect((await world.embed(caller, revenue)).status).toBe(200);
  });

  test('201: by report and by workspace, for everybody, admins too', async () => {
    const { api } = await person();
    const pipeline = await world.report('Pipeline');
    const byReport = (await revoke(admin, { report_id: pipeline.id })).body;
    expect(await world.embed(api, pipeline)).toMatchObject(refused);
    expect(await world.embed(admin, pipeline)).toMatchObject(refused);
    expect((await world.embed(api, revenue)).status).toBe(200);
    await lift(admin, byReport.id);
    const byWorkspace = (await revoke(admin, { workspace_id: sales.id })).body;
    expect(await world.embed(api, revenue)).toMatchObject(refused);
    expect((await world.embed(admin, await world.report('Cash flow'))).status).toBe(200);
    await lift(admin, byWorkspace.id);
  });

  test('201: of several all must match; a manager within own workspaces', async () => {
    const { user, api } = await person();
    const manager = await person('manager');
    const { status, body } = await revoke(manager.api, { user_id: user.id, workspace_id: sales.id });
    expect(status).toBe(201);
    expect(await world.embed(api, revenue)).toMatchObject(refused);
    expect((await world.embed(manager.api, revenue)).status).toBe(200);
    expect((await lift((await person('manager')).api, body.id)).status).toBe(404);
    expect((await lift(manager.api, body.id)).status).toBe(204);
    expect((await lift(manager.api, body.id)).status).toBe(404);
  });

  test('201: what is asked for while it is revoked is not handed out', async () => {
    const { user, api } = await person();
    await world.fault({ delay_ms: 500, times: 1 });
    const before = (await world.asked()).length;
    const asked = world.embed(api, revenue);
    while ((await world.asked()).length === before)
      await world.service.database.query('SELECT pg_sleep(0.02)');
    const { body } = await revoke(admin, { user_id: user.id });
    expect(await asked).toMatchObject(refused);
    await lift(admin, body.id);
  });

  test('201: it is in the trail, and so is its end', async () => {
    const { body } = await revoke(admin, { report_id: revenue.id, reason: 'wrong figures' });
    await lift(admin, body.id);
    const trail = await world.service.database.query(
      'SELECT action, details FROM audit_events WHERE target_id = $1 ORDER BY id',
      [body.id],
    );
    expect(trail).toMatchObject([
      { action: 'embed_access_revoked', details: { report_id: revenue.id, reason: 'wrong figures' } },
      { action: 'embed_access_restored' },
    ]);
  });

  test.each([{}, { reason: 'nothing named' }, { user_id: 'x' }, { everything: true }])(
    '400: %j',
    async (body) => {
      expect((await revoke(admin, body)).status).toBe(400);
    },
  );

  test('403: a manager beyond own workspaces, a viewer; 404: what they cannot see', async () => {
    const manager = await person('manager');
    const viewer = await person();
    const budget = await world.report('Cash flow');
    expect((await revoke(manager.api, { user_id: viewer.user.id })).status).toBe(403);
    expect((await revoke(viewer.api, { report_id: revenue.id })).status).toBe(403);
    for (const body of [{ report_id: budget.id }, { workspace_id: finance.id }, { report_id: uuidv7() }]) {
      expect((await revoke(manager.api, body)).status).toBe(404);
    }
    expect((await revoke(admin, { user_id: uuidv7() })).status).toBe(404);
  });
});

describe('GET /api/embed-grants/revocations', () => {
  test('200: those in force', async () => {
    const { body } = await revoke(admin, { report_id: revenue.id });
    const list = () => admin.get<{ embed_revocations: { id: string }[] }>('/api/embed-grants/revocations');
    expect((await list()).body.embed_revocations.map(({ id }) => id)).toEqual([body.id]);
    await lift(admin, body.id);
    expect((await list()).body.embed_revocations).toEqual([]);
  });
});
