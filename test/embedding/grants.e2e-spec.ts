import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { subscribe } from '../../src/core/telemetry/telemetry-events.js';
import { EmbedRevocation } from '../../src/embed/embed-revocation.entity.js';
import { lockForRevocation } from '../../src/embed/embed.queries.js';
import { IssuedTokensService } from '../../src/embed/issued-tokens.service.js';
import { TokenUsageService } from '../../src/embed/token-usage.service.js';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { type InProcessReplica, startInProcessReplica } from '../support/replicas.js';
import { lockTable } from '../support/table-lock.js';
import { until } from '../support/until.js';
import { type Embedding, startEmbedding } from './embedding.js';

let embedding: Embedding;
let replica: InProcessReplica;
let admin: Client;
let sales: Workspace;
let finance: Workspace;
let revenue: Report;

beforeAll(async () => {
  embedding = await startEmbedding();
  replica = await startInProcessReplica(embedding.service);
  admin = await embedding.service.asAdmin();
  sales = await embedding.workspace('Sales');
  finance = await embedding.workspace('Finance');
  revenue = await embedding.report('Revenue overview');
});
afterAll(async () => {
  await replica.close();
  await embedding.service.close();
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
  const user = await embedding.service.factory.user();
  await embedding.service.factory.grant(user, sales, role);
  return { user, api: await embedding.service.as(user) };
}

const grants = async (query = '') => (await admin.get<Grants>(`/api/embed-grants${query}`)).body.embed_grants;
const revoke = (api: Client, body: object) => api.post<Revocation>('/api/embed-grants/revoke', body);
const lift = (api: Client, id: string) => api.delete(`/api/embed-grants/revocations/${id}`);
const camel = { user_id: 'userId', report_id: 'reportId', workspace_id: 'workspaceId' } as const;
/** Tokens that wait for a lock. */
const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
  AND query LIKE '%INSERT INTO issued_tokens%'`;
const refused = { status: 403, body: { code: 'embed_access_revoked' } };

describe('GET /api/embed-grants', () => {
  test('200: user, token id, number of uses and identity, but never the token', async () => {
    const { user, api } = await person();
    const { body } = await embedding.embed(api, revenue);
    await embedding.embed(api, revenue);
    await embedding.service.app.get(TokenUsageService).flush();
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
        times_issued: 2,
        last_issued_at: expect.any(String),
        ip: '127.0.0.1',
        request_id: expect.any(String),
      },
    ]);
  });

  test('200: filtered by report, workspace and validity, in pages', async () => {
    const { user, api } = await person();
    for (const name of ['Pipeline', 'Product mix']) await embedding.embed(api, await embedding.report(name));
    const pipeline = await embedding.report('Pipeline');
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

describe('issued tokens', () => {
  test('are kept for 90 days after their expiry', async () => {
    const { user, api } = await person();
    await embedding.embed(api, revenue);
    const cleanup = embedding.service.app.get(IssuedTokensService);
    const end = (days: number) =>
      embedding.service.database.query(
        `UPDATE issued_tokens SET issued_at = now() - make_interval(days => $1, hours => 1, mins => 1),
           expires_at = now() - make_interval(days => $1) WHERE user_id = $2`,
        [days, user.id],
      );
    await end(89);
    await cleanup.removeOld();
    expect(await grants(`?user_id=${user.id}`)).toHaveLength(1);
    await end(91);
    await cleanup.removeOld();
    expect(await grants(`?user_id=${user.id}`)).toHaveLength(0);
  });

  test('are stored in monthly partitions that are created in advance and dropped when old', async () => {
    const { database, app } = embedding.service;
    const insert = (issuedAt: Date) =>
      database.query(
        `INSERT INTO issued_tokens (id, token_id, user_id, report_id, workspace_id, access, issued_at, expires_at,
           last_issued_at)
         SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'view',
           $1, $1::timestamptz + interval '1 hour', $1`,
        [issuedAt],
      );
    const partitionOf = (date: Date) => `issued_tokens_${date.toISOString().slice(0, 7).replace('-', '')}`;
    const partitions = async () => {
      const rows = await database.query<{ name: string }[]>(
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'issued_tokens'::regclass`,
      );
      return rows.map(({ name }) => name);
    };
    const recent = new Date(Date.now() - 40 * 86_400_000);
    await insert(new Date('2019-03-31T23:59:59Z'));
    await insert(recent);
    await Promise.all([app.get(IssuedTokensService).maintain(), app.get(IssuedTokensService).maintain()]);
    const left = await partitions();
    expect(left).toContain('issued_tokens_default');
    expect(left).toContain(partitionOf(recent));
    expect(left).toContain(partitionOf(new Date(Date.now() + 31 * 86_400_000)));
    expect(left).not.toContain('issued_tokens_201903');
    expect(await database.query('SELECT FROM issued_tokens_default')).toEqual([]);
  });
});

describe('POST /api/embed-grants/revoke', () => {
  test('201: by user, effective immediately on every replica, also for a reusable token', async () => {
    const { user, api } = await person();
    const there = replica.as(api);
    const [here] = await Promise.all([embedding.embed(api, revenue), embedding.embed(there, revenue)]);
    const response = await revoke(admin, { user_id: user.id, reason: 'lost laptop' });
    expect(response).toMatchObject({
      status: 201,
      body: {
        user_id: user.id,
        report_id: null,
        workspace_id: null,
        reason: 'lost laptop',
        active_tokens: 2,
      },
    });
    const end = new Date(response.body.ended_at_latest!).getTime();
    expect(end).toBeGreaterThanOrEqual(new Date(here.body.expires_at).getTime());
    for (const caller of [api, there]) expect(await embedding.embed(caller, revenue)).toMatchObject(refused);
    expect((await lift(admin, response.body.id)).status).toBe(204);
    for (const caller of [api, there]) expect((await embedding.embed(caller, revenue)).status).toBe(200);
  });

  test('201: by report and by workspace, for all users including admins', async () => {
    const { api } = await person();
    const pipeline = await embedding.report('Pipeline');
    const byReport = (await revoke(admin, { report_id: pipeline.id })).body;
    expect(await embedding.embed(api, pipeline)).toMatchObject(refused);
    expect(await embedding.embed(admin, pipeline)).toMatchObject(refused);
    expect((await embedding.embed(api, revenue)).status).toBe(200);
    await lift(admin, byReport.id);
    const byWorkspace = (await revoke(admin, { workspace_id: sales.id })).body;
    expect(await embedding.embed(api, revenue)).toMatchObject(refused);
    expect((await embedding.embed(admin, await embedding.report('Cash flow'))).status).toBe(200);
    await lift(admin, byWorkspace.id);
  });

  test('201: several criteria must all match; a manager only within their workspaces', async () => {
    const { user, api } = await person();
    const manager = await person('manager');
    const { status, body } = await revoke(manager.api, { user_id: user.id, workspace_id: sales.id });
    expect(status).toBe(201);
    expect(await embedding.embed(api, revenue)).toMatchObject(refused);
    expect((await embedding.embed(manager.api, revenue)).status).toBe(200);
    expect((await lift((await person('manager')).api, body.id)).status).toBe(404);
    expect((await lift(manager.api, body.id)).status).toBe(204);
    expect((await lift(manager.api, body.id)).status).toBe(404);
  });

  test('404: a manager does not lift an own revocation in a workspace that they no longer manage', async () => {
    const { user, api } = await person();
    const manager = await person('manager');
    const byWorkspace = (await revoke(manager.api, { user_id: user.id, workspace_id: sales.id })).body;
    const byReport = (await revoke(manager.api, { user_id: user.id, report_id: revenue.id })).body;
    await embedding.service.factory.grant(manager.user, sales, 'viewer');
    for (const { id } of [byWorkspace, byReport]) {
      expect((await lift(manager.api, id)).status).toBe(404);
      expect(await embedding.embed(api, revenue)).toMatchObject(refused);
    }
    await embedding.service.factory.grant(manager.user, sales, 'manager');
    for (const { id } of [byWorkspace, byReport]) expect((await lift(manager.api, id)).status).toBe(204);
    expect((await embedding.embed(api, revenue)).status).toBe(200);
  });

  test('201: a token that is being issued during the revocation is not returned', async () => {
    const { user, api } = await person();
    let revocation = '';
    const response = await embedding.meanwhile(
      () => embedding.embed(api, revenue),
      async () => {
        revocation = (await revoke(admin, { user_id: user.id })).body.id;
      },
    );
    expect(response).toMatchObject(refused);
    await lift(admin, revocation);
  });

  test.each(['user_id', 'report_id', 'workspace_id'] as const)(
    '201: by %s, a token that is committed during the revocation is in its response',
    async (name) => {
      const { user, api } = await person();
      const { embed, service } = embedding;
      // A partition is locked when its first row is inserted: the token has locked its user and report by then.
      const month = service.clock.now().toISOString().slice(0, 7).replace('-', '');
      const lock = await lockTable(service.databaseUrl, `issued_tokens_${month}`);
      const token = embed(api, await embedding.report('Pipeline'));
      await lock.blocks('INSERT INTO issued_tokens');
      const about = {
        user_id: user.id,
        report_id: (await embedding.report('Pipeline')).id,
        workspace_id: sales.id,
      };
      const before = (await service.database.query('SELECT FROM embed_revocations')).length;
      const revocation = revoke(admin, { [name]: about[name] });
      // Waits for the token, or is committed without it.
      await until(async () => {
        const revocations = await service.database.query('SELECT FROM embed_revocations');
        return revocations.length > before || (await lock.indirectlyWaiting()) > 0;
      });
      await lock.release();
      expect((await token).status).toBe(200);
      const { body } = await revocation;
      const issued = await service.database.query(
        'SELECT FROM issued_tokens WHERE expires_at > $2 AND ($1 = user_id OR $1 = report_id OR $1 = workspace_id)',
        [about[name], service.clock.now()],
      );
      expect(body.active_tokens).toBe(issued.length);
      await lift(admin, body.id);
    },
  );

  test.each(['user_id', 'report_id', 'workspace_id'] as const)(
    '201: by %s, a token that waits for the revocation is neither issued nor recorded',
    async (name) => {
      const { user, api } = await person();
      const { embed, service } = embedding;
      const pipeline = await embedding.report('Pipeline');
      const about = { user_id: user.id, report_id: pipeline.id, workspace_id: sales.id };
      const { id: revokedBy } = await service.factory.admin();
      const revoked = {
        userId: null,
        reportId: null,
        workspaceId: null,
        reason: null,
        [camel[name]]: about[name],
      };
      const rows = () =>
        Promise.all([
          service.database.query('SELECT FROM issued_tokens WHERE user_id = $1', [user.id]),
          service.database.query('SELECT FROM audit_events WHERE actor_id = $1 AND action = $2', [
            user.id,
            'embed_token_issued',
          ]),
          service.database.query(`SELECT FROM events WHERE data->>'actor_id' = $1 AND type = $2`, [
            user.id,
            'embed_token.issued',
          ]),
        ]);
      const recorded: string[] = [];
      const stop = subscribe('audit_recorded', ({ action }) => recorded.push(action));
      const runner = service.database.createQueryRunner();
      await runner.startTransaction();
      await lockForRevocation(runner.manager, revokedBy, revoked);
      const token = embed(api, pipeline);
      // Its statement has begun, so its own snapshot does not contain the revocation.
      await until(async () => (await service.database.query(waiting)).length > 0);
      const [id, revokedAt] = [uuidv7(), service.clock.now()];
      const row = { id, ...revoked, revokedBy, revokedAt, liftedBy: null, liftedAt: null };
      await runner.manager.save(EmbedRevocation, row);
      await runner.commitTransaction();
      await runner.release();
      expect(await token).toMatchObject(refused);
      stop();
      expect(await rows()).toEqual([[], [], []]);
      expect(recorded).not.toContain('embed_token_issued');
      await lift(admin, id);
    },
  );

  test('201: the revocation and its removal are in the audit trail, without the reason, which may name a person', async () => {
    const { body } = await revoke(admin, { report_id: revenue.id, reason: 'wrong figures' });
    await lift(admin, body.id);
    const trail = await embedding.service.database.query(
      'SELECT action, details FROM audit_events WHERE target_id = $1 ORDER BY id',
      [body.id],
    );
    expect(trail).toMatchObject([{ action: 'embed_access_revoked' }, { action: 'embed_access_restored' }]);
    expect(trail[0].details).toEqual({ report_id: revenue.id, user_id: null, workspace_id: null });
  });

  test.each([{}, { reason: 'nothing named' }, { user_id: 'x' }, { everything: true }])(
    '400: %j',
    async (body) => {
      expect((await revoke(admin, body)).status).toBe(400);
    },
  );

  test('403: a manager outside their workspaces, a viewer; 404: what the caller cannot see', async () => {
    const manager = await person('manager');
    const viewer = await person();
    const budget = await embedding.report('Cash flow');
    expect((await revoke(manager.api, { user_id: viewer.user.id })).status).toBe(403);
    expect((await revoke(viewer.api, { report_id: revenue.id })).status).toBe(403);
    for (const body of [{ report_id: budget.id }, { workspace_id: finance.id }, { report_id: uuidv7() }]) {
      expect((await revoke(manager.api, body)).status).toBe(404);
    }
    expect((await revoke(admin, { user_id: uuidv7() })).status).toBe(404);
  });
});

describe('GET /api/embed-grants/revocations', () => {
  test('200: the active revocations', async () => {
    const { body } = await revoke(admin, { report_id: revenue.id });
    const list = () => admin.get<{ embed_revocations: { id: string }[] }>('/api/embed-grants/revocations');
    expect((await list()).body.embed_revocations.map(({ id }) => id)).toEqual([body.id]);
    await lift(admin, body.id);
    expect((await list()).body.embed_revocations).toEqual([]);
  });
});
