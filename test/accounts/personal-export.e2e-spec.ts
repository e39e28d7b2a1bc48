import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { personalDataRegistry } from '../../src/accounts/personal-data.js';
import type { User } from '../../src/users/user.entity.js';
import type { Exporting } from '../exports/exporting.js';
import { Client } from '../support/client.js';
import { isFull } from '../support/test-size.js';
import { until } from '../support/until.js';
import { eva, fullPerson, startPersonal } from './full-person.js';

interface Exported {
  user_id: string;
  exported_at: string;
  data: Record<string, Record<string, unknown>[]>;
}

let at: Exporting;
let admin: Client;
let user: User;
let api: Client;

beforeAll(async () => {
  at = await startPersonal();
  admin = await at.service.asAdmin();
  ({ user, api } = await fullPerson(at, admin));
});
afterAll(() => at.service.close());

/** Columns with the id of the person, the same in each row of a section. */
const keys = new Set(['user_id', 'requester_id', 'created_by', 'invited_by', 'actor_id', 'person']);

const exportOf = (id: string, as = admin) => as.get<Exported & { code: string }>(`/api/users/${id}/export`);

describe('GET /api/users/me/export', () => {
  test('200: a file with rows in every section', async () => {
    const { status, headers, body } = await exportOf('me', api);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="vitrine-personal-data-${user.id}.json"`,
    );
    expect(body.user_id).toBe(user.id);
    const sections = personalDataRegistry.flatMap(({ export: e }) => ('section' in e ? [e.section] : []));
    expect(Object.keys(body.data)).toEqual(sections);
    expect(sections.filter((section) => body.data[section]?.length === 0)).toEqual([]);
  });

  test('200: the rows of a section have its registered columns', async () => {
    const { data } = (await exportOf('me', api)).body;
    const missing = personalDataRegistry.flatMap(({ table, columns, export: e }) =>
      columns
        .filter((column) => 'section' in e && !keys.has(column) && !(column in (data[e.section]?.[0] ?? {})))
        .map((column) => `${table}.${column}`),
    );
    expect(missing).toEqual([]);
  });

  test('200: contains what the person is, did and sent', async () => {
    const { data } = (await exportOf('me', api)).body;
    expect(data.account).toMatchObject([
      {
        id: user.id,
        email: eva.email,
        name: eva.renamed,
        locale: 'de',
        attributes: { region: eva.attribute },
      },
    ]);
    expect(data.sessions).toMatchObject([{ ip: eva.ip, user_agent: eva.agent, method: 'invitation' }]);
    expect(data.embed_tokens).toMatchObject([{ ip: eva.ip, identity: { username: eva.email } }]);
    expect(data.report_views).toMatchObject([{ page_views: 1, pages: ['overview'] }]);
    expect(data.saved_views?.map(({ name }) => name)).toEqual([`${eva.view} private`, `${eva.view} shared`]);
    expect(data.audit_events_by_this_person?.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['invitation_accepted', 'user_changed', 'embed_token_issued']),
    );
  });

  test('200: contains what an invitation conferred', async () => {
    const { data } = (await exportOf('me', api)).body;
    const [sales, report] = [await at.workspace('Sales'), await at.report('My region')];
    expect(data.invitations_received).toMatchObject([
      { delivery_error: null, workspace_ids: [sales.id], report_ids: [], group_ids: [] },
    ]);
    const group = await at.service.factory.group();
    const email = 'ida.invited@example.com';
    const reports = [{ report_id: report.id, role: 'viewer' }];
    const invitation = { email, reports, groups: [group.id] };
    expect((await admin.post('/api/users/invite', invitation)).status).toBe(201);
    const invited = await exportOf((await at.service.factory.user({ email })).id);
    expect(invited.body.data.invitations_received).toMatchObject([
      { email, workspace_ids: [], report_ids: [report.id], group_ids: [group.id] },
    ]);
  });

  test('200: contains what others changed about the person, in a change of many members only the own id', async () => {
    const { database, factory } = at.service;
    const group = await factory.group();
    await database.query(
      `INSERT INTO users (id, email, name, role, status, created_at)
       SELECT gen_random_uuid(), 'bulk' || n || '@example.com', 'Bulk', 'member', 'active', now()
       FROM generate_series(1, 60) n`,
    );
    await database.query(
      `INSERT INTO group_edges (group_id, user_id, source, created_at)
       SELECT $1, id, 'manual', now() FROM users WHERE email LIKE 'bulk%' OR id = $2`,
      [group.id, user.id],
    );
    expect((await admin.delete(`/api/groups/${group.id}`)).status).toBe(204);
    const about = (await exportOf('me', api)).body.data.audit_events_about_this_person;
    const own = { source: 'manual', member_type: 'user' };
    const changes = [
      { action: 'group_member_added', details: { ...own, member_id: user.id } },
      { action: 'embed_access_revoked', target_type: 'embed_revocation' },
      { action: 'group_member_removed', details: { ...own, members: 61, member_ids: [user.id] } },
    ];
    expect(about).toEqual(expect.arrayContaining(changes.map((each) => expect.objectContaining(each))));
  });

  test('200: no secret, no hash, and of other people only ids', async () => {
    const text = JSON.stringify((await exportOf('me', api)).body);
    expect(text).not.toMatch(/other\.person|Other Person|hash|salt|refresh_token"|Buffer|password"/i);
    const others = await at.service.database.query<{ email: string; name: string }[]>(
      'SELECT email, name FROM users WHERE id <> $1',
      [user.id],
    );
    expect(others.length).toBeGreaterThan(1);
    for (const { email, name } of others) {
      expect(text).not.toContain(email);
      expect(text).not.toContain(JSON.stringify(name));
    }
  });

  test('200: is in the audit trail', async () => {
    await exportOf('me', api);
    const path = `/api/audit-events?action=personal_data_exported&target_id=${user.id}&limit=1`;
    const { body } = await admin.get<{ audit_events: object[] }>(path);
    expect(body.audit_events).toMatchObject([
      { actor: { id: user.id }, target: { type: 'user', id: user.id } },
    ]);
  });

  test('200: a look at the headers is no export', async () => {
    const exports = () =>
      at.service.database.query(`SELECT id FROM audit_events WHERE action = 'personal_data_exported'`);
    const before = await exports();
    for (const [id, { token }] of [
      ['me', api],
      [user.id, admin],
    ] as const) {
      const url = new URL(`/api/users/${id}/export`, at.service.url);
      const head = await fetch(url, { method: 'HEAD', headers: { authorization: `Bearer ${token}` } });
      expect([head.status, head.headers.get('content-disposition')]).toEqual([
        200,
        `attachment; filename="vitrine-personal-data-${user.id}.json"`,
      ]);
    }
    expect(await exports()).toEqual(before);
  });

  test('404: a service account is not a person', async () => {
    const { body } = await admin.post<{ id: string; client_secret: string }>('/api/service-accounts', {
      name: 'Nightly',
    });
    const { id: client_id, client_secret } = body;
    const token = await at.service.api.post<{ access_token: string }>('/api/auth/token', {
      grant_type: 'client_credentials',
      client_id,
      client_secret,
    });
    const machine = new Client(at.service.url, token.body.access_token);
    expect((await exportOf('me', machine)).body).toMatchObject({ status: 404, code: 'user_not_found' });
    expect((await exportOf(client_id)).body).toMatchObject({ status: 404, code: 'user_not_found' });
  });
});

describe('GET /api/users/:id/export', () => {
  test('200: the same document, for an admin', async () => {
    const [own, other] = [await exportOf('me', api), await exportOf(user.id)];
    const without = ({ body: { data } }: typeof own) => ({
      ...data,
      audit_events_by_this_person: 0,
      audit_events_about_this_person: 0,
    });
    expect(other.status).toBe(200);
    expect(without(other)).toEqual(without(own));
    expect(other.body.data.audit_events_about_this_person).toContainEqual(
      expect.objectContaining({ action: 'personal_data_exported' }),
    );
  });

  test('200: about an actor who changed others, without their names', async () => {
    const boss = await at.service.factory.admin();
    const client = await at.service.as(boss);
    const other = await at.service.factory.user({ name: 'Before Hand' });
    await client.patch(`/api/users/${other.id}`, { name: 'After Ward' });
    const { data } = (await exportOf(boss.id)).body;
    const changed = data.audit_events_by_this_person?.find(({ action }) => action === 'user_changed');
    expect(changed).toMatchObject({ target_id: other.id, details: null });
    expect(JSON.stringify(data)).not.toMatch(/Before Hand|After Ward/);
  });

  test('400, 403 and 404', async () => {
    expect((await exportOf('x')).status).toBe(400);
    expect((await exportOf(user.id, api)).status).toBe(403);
    const unknown = await exportOf('01890000-0000-7000-8000-000000000000');
    expect(unknown.body).toMatchObject({ status: 404, code: 'user_not_found' });
    expect(unknown.headers.get('content-disposition')).toBeNull();
  });
});

describe('a large account', () => {
  /** More than what a connection buffers. */
  const total = isFull ? 60_000 : 30_000;
  let big: User;

  beforeAll(async () => {
    big = await bigAccount();
  });

  async function bigAccount(): Promise<User> {
    const { database, factory } = at.service;
    const person = await factory.user();
    const report = await factory.report(await factory.workspace());
    await database.query(
      `INSERT INTO issued_tokens (id, token_id, user_id, report_id, workspace_id, access, identity, issued_at, expires_at, last_issued_at)
       SELECT gen_random_uuid(), gen_random_uuid(), $1, $2, $3, 'view', jsonb_build_object('username', repeat('x', 300)), now(), now(), now()
       FROM generate_series(1, ${total})`,
      [person.id, report.id, report.workspaceId],
    );
    return person;
  }

  /** Connections with a cursor: a background job begins transactions, too. */
  const connectionsHeld = async (): Promise<number> => {
    const rows = await at.service.database.query<object[]>(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND state <> 'idle' AND query ~ '^(DECLARE|FETCH|CLOSE)'`,
    );
    return rows.length;
  };

  /** Starts to read, and returns the first bytes and the rest. The export then waits with its cursor. */
  async function startReading({ id }: User, signal?: AbortSignal) {
    const response = await fetch(new URL(`/api/users/${id}/export`, at.service.url), {
      headers: { authorization: `Bearer ${admin.token}` },
      signal,
    });
    const reader = response.body!.getReader();
    const first = (await reader.read()).value!;
    await until(async () => (await connectionsHeld()) === 1);
    return { first, reader };
  }

  test('is streamed in batches, as of one time, by one connection', async () => {
    const own = await bigAccount();
    const { first, reader } = await startReading(own);
    // No change after the start is part of the document.
    await at.service.database.query('DELETE FROM issued_tokens WHERE user_id = $1', [own.id]);
    const parts = [first];
    for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value);
    const body = JSON.parse(Buffer.concat(parts).toString()) as Exported;
    expect(body.data.embed_tokens).toHaveLength(total);
    expect(body.data.audit_events_about_this_person).toHaveLength(1);
  });

  test('releases its connection when the client disconnects', async () => {
    // More than the slots of a replica, so that a leak would block the last ones.
    for (let count = 0; count < 4; count += 1) {
      const gone = new AbortController();
      await startReading(big, gone.signal);
      gone.abort();
    }
    expect((await exportOf(user.id)).status).toBe(200);
    await until(async () => (await connectionsHeld()) === 0);
  });

  test('releases its connection when the client stops reading, which then sees a truncated response', async () => {
    const { reader } = await startReading(big);
    const { database } = at.service;
    const begun = `query ~ '^(DECLARE|FETCH|CLOSE)'`;
    const holders = await until(async () => {
      const rows = await database.query<{ pid: number }[]>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle' AND ${begun}`,
      );
      return rows.length > 0 && rows.map(({ pid }) => pid);
    });
    // In the transaction of the export its connection is never idle, whichever statement was the last one.
    await until(async () => {
      const held = `SELECT FROM pg_stat_activity WHERE pid = ANY($1) AND state <> 'idle'`;
      return (await database.query<object[]>(held, [holders])).length === 0;
    });
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toThrow(TypeError);
  });
});
