import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { IdempotencyKeysService } from '../src/platform/idempotency/idempotency-keys.service.js';
import type { ApiResponse, Client } from './support/client.js';
import { type Service, startService } from './support/service.js';

let service: Service;
let admin: Client;

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_SIGN_IN_PER_IP: '0', RATE_LIMIT_API_PER_MINUTE: '0' });
  admin = await service.as(await service.factory.admin());
});
afterAll(() => service.close());

const invite = (client: Client, key: string, body: object): Promise<ApiResponse> =>
  client.post('/api/users/invite', body, { 'idempotency-key': key });

const stranger = (): { email: string } => ({ email: `${randomUUID()}@example.com` });

const countOf = async (table: string, where = 'true'): Promise<number> => {
  const sql = `SELECT count(*)::int AS n FROM ${table} WHERE ${where}`;
  const [row] = await service.database.query<{ n: number }[]>(sql);
  return row?.n ?? -1;
};

describe('RACE-06 Idempotency-Key', () => {
  test('a repeated request returns the same response and has no further effect', async () => {
    const [key, body] = [randomUUID(), stranger()];
    const first = await invite(admin, key, body);
    const again = await invite(admin, key, body);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await countOf('audit_events', `target_id = '${first.body.id as string}'`)).toBe(1);
  });

  test('of fifty concurrent requests one is executed; the others return the same response or 409', async () => {
    const [key, body] = [randomUUID(), stranger()];
    const responses = await Promise.all(Array.from({ length: 50 }, () => invite(admin, key, body)));
    const waiting = responses.filter(({ status }) => status === 409);
    expect(waiting.every(({ body: problem }) => problem.code === 'idempotency_in_flight')).toBe(true);
    expect(waiting.every(({ headers }) => headers.get('retry-after') === '1')).toBe(true);
    const done = responses.filter(({ status }) => status === 201);
    expect(done.length + waiting.length).toBe(50);
    expect(new Set(done.map(({ body: { id } }) => id)).size).toBe(1);
    expect(done.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect(await countOf('invitations', `email = '${body.email}'`)).toBe(1);
  });

  test('sixty concurrent requests with different keys and a pool of ten all succeed', async () => {
    const responses = await Promise.all(
      Array.from({ length: 60 }, () =>
        admin.post('/api/service-accounts', { name: 'x' }, { 'idempotency-key': randomUUID() }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
  });

  test('Location and status are replayed too', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await admin.post('/api/syncs', undefined, key);
    const again = await admin.post('/api/syncs', undefined, key);
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.body).toEqual(first.body);
    expect(await countOf('sync_runs', `trigger = 'request'`)).toBe(1);
  });

  test('422: the key of another body, or of another path of the same route', async () => {
    const key = randomUUID();
    await invite(admin, key, stranger());
    const response = await invite(admin, key, stranger());
    expect([response.status, response.body.code]).toEqual([422, 'idempotency_key_reused']);
    const ids = await Promise.all([1, 2].map(() => admin.post('/api/service-accounts', { name: 'x' })));
    const [first, second] = ids.map(({ body }) => `/api/service-accounts/${body.id as string}/secrets`);
    expect((await admin.post(first as string, {}, { 'idempotency-key': key })).status).toBe(201);
    expect((await admin.post(second as string, {}, { 'idempotency-key': key })).status).toBe(422);
  });

  test('400: an invalid key', async () => {
    for (const key of ['x'.repeat(256), 'ü', '']) {
      const response = await invite(admin, key, stranger());
      expect([response.status, response.body.code]).toEqual([400, 'invalid_request']);
    }
  });

  test('a failed request is not stored: the same key can succeed later', async () => {
    const { factory } = service;
    const [key, person] = [randomUUID(), await factory.user({ status: 'disabled' })];
    const user = await factory.user();
    const workspace = await factory.workspace();
    const body = { email: person.email, workspaces: [{ workspace_id: workspace.id, role: 'editor' }] };
    const api = await service.as(user);
    expect((await invite(api, key, body)).status).toBe(400);
    await factory.grant(user, workspace, 'manager');
    // In a workspace of the manager: only there a disabled account is revealed.
    await factory.grant(person, workspace, 'viewer');
    expect((await invite(api, key, body)).status).toBe(409);
    await service.database.query(`UPDATE users SET status = 'active' WHERE id = $1`, [person.id]);
    expect((await invite(api, key, body)).status).toBe(200);
  });

  test('the key is free after 24 hours, and its row is deleted', async () => {
    const [key, body] = [randomUUID(), stranger()];
    await invite(admin, key, body);
    await service.database.query(`UPDATE idempotency_keys SET expires_at = now() WHERE key = $1`, [key]);
    const again = await invite(admin, key, body);
    expect(again.headers.get('idempotency-replayed')).toBeNull();
    await service.database.query(
      `INSERT INTO idempotency_keys
       SELECT user_id, route, 'old-' || n, request_mac, status, location, body, now()
       FROM idempotency_keys, generate_series(1, 2500) n WHERE key = $1`,
      [key],
    );
    await service.app.get(IdempotencyKeysService).removeExpired();
    expect(await countOf('idempotency_keys', `key LIKE 'old-%'`)).toBe(0);
    expect(await countOf('idempotency_keys', `key = '${key}'`)).toBe(1);
  });
});

describe('POST /api/invitations/bulk', () => {
  interface Results {
    results: { email: string; invitation?: { id: string; email: string }; problem?: { code: string } }[];
  }
  const inviteAll = (client: Client, key: string, users: object[], more: object = {}) =>
    client.post<Results>('/api/invitations/bulk', { users, ...more }, { 'idempotency-key': key });

  test('a repeated list returns the same results, with no second invitation or mail', async () => {
    const { factory, mailbox } = service;
    const workspace = await factory.workspace();
    const [known, holder] = [await factory.user(), await factory.user()];
    await factory.grant(holder, workspace, 'viewer');
    const [key, fresh, last] = [randomUUID(), stranger(), stranger()];
    const into = { workspaces: [{ workspace_id: workspace.id, role: 'viewer' }] };
    const users = [fresh, { email: 'no address' }, holder, known, last].map(({ email }) => ({ email }));
    const first = await inviteAll(admin, key, users, into);
    const codes = first.body.results.map(({ problem }) => problem?.code);
    expect(codes).toEqual([undefined, 'invalid_request', 'already_has_access', undefined, undefined]);
    await service.waitForJobs();
    // Otherwise a second invitation would renew the first and send a mail.
    service.clock.advance(120);
    const again = await inviteAll(admin, key, users, into);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    await service.waitForJobs();
    for (const { email } of [fresh, known, last]) {
      expect(await countOf('invitations', `email = '${email}'`)).toBe(1);
      expect(await mailbox.mailsTo(email)).toHaveLength(1);
    }
    expect((await inviteAll(admin, key, users.slice(1), into)).body).toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  test('concurrent lists of the same people in opposite orders succeed for every line', async () => {
    const { factory } = service;
    const workspace = await factory.workspace();
    const into = { workspaces: [{ workspace_id: workspace.id, role: 'viewer' }] };
    const users = [stranger(), await factory.user(), stranger(), await factory.user(), stranger()].map(
      ({ email }) => ({ email }),
    );
    const other = await service.as(await factory.admin());
    const responses = await Promise.all([
      inviteAll(admin, randomUUID(), users, into),
      inviteAll(other, randomUUID(), users.toReversed(), into),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const codes = responses.flatMap(({ body }) => body.results.map(({ problem }) => problem?.code));
    expect(new Set(codes.filter((code) => code !== 'already_has_access'))).toEqual(new Set([undefined]));
  });

  test('an address that PostgreSQL cannot store is the failure of its line only, also in the replay', async () => {
    const [key, { email }] = [randomUUID(), stranger()];
    const users = [{ email }, { email: 'a\u0000b@example.com' }];
    const first = await inviteAll(admin, key, users);
    const results = first.body.results.map(({ invitation, problem }) => invitation?.email ?? problem?.code);
    expect([first.status, results]).toEqual([200, [email, 'invalid_request']]);
    const again = await inviteAll(admin, key, users);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(again.body).toEqual(first.body);
  });

  test('a former manager gets no stored results', async () => {
    const { factory } = service;
    const [manager, workspace, key] = [await factory.user(), await factory.workspace(), randomUUID()];
    await factory.grant(manager, workspace, 'manager');
    const into = { workspaces: [{ workspace_id: workspace.id, role: 'viewer' }] };
    const [api, users] = [await service.as(manager), [stranger()]];
    expect((await inviteAll(api, key, users, into)).status).toBe(200);
    await admin.put(`/api/workspaces/${workspace.id}/members/${manager.id}`, { role: 'viewer' });
    expect((await inviteAll(api, key, users, into)).status).toBe(403);
  });
});

describe('rights are checked before a replay', () => {
  test('401: after the session has ended', async () => {
    const person = await service.factory.admin();
    const [key, body, api] = [randomUUID(), stranger(), await service.as(person)];
    await invite(api, key, body);
    await admin.delete(`/api/users/${person.id}/sessions`);
    expect((await invite(api, key, body)).status).toBe(401);
  });

  test('403: after a demotion', async () => {
    const person = await service.factory.admin();
    const [key, api] = [{ 'idempotency-key': randomUUID() }, await service.as(person)];
    expect((await api.post('/api/service-accounts', { name: 'x' }, key)).status).toBe(201);
    await admin.patch(`/api/users/${person.id}`, { role: 'member' });
    expect((await api.post('/api/service-accounts', { name: 'x' }, key)).status).toBe(403);
  });

  test('400, as for any user without access: after the loss of the workspace', async () => {
    const { factory } = service;
    const [manager, workspace, key] = [await factory.user(), await factory.workspace(), randomUUID()];
    await factory.grant(manager, workspace, 'manager');
    const body = { ...stranger(), workspaces: [{ workspace_id: workspace.id, role: 'viewer' }] };
    const api = await service.as(manager);
    expect((await invite(api, key, body)).status).toBe(201);
    await admin.put(`/api/workspaces/${workspace.id}/members/${manager.id}`, { role: 'viewer' });
    expect((await invite(api, key, body)).status).toBe(403);
    await admin.delete(`/api/workspaces/${workspace.id}/members/${manager.id}`);
    expect((await invite(api, key, body)).status).toBe(400);
  });

  test('keys are separate for each user', async () => {
    const [key, body] = [randomUUID(), { name: 'same' }];
    const other = await service.as(await service.factory.admin());
    const header = { 'idempotency-key': key };
    const first = await admin.post('/api/service-accounts', body, header);
    const second = await other.post('/api/service-accounts', body, header);
    expect(second.headers.get('idempotency-replayed')).toBeNull();
    expect(second.body.id).not.toBe(first.body.id);
  });
});

describe('secrets are not replayed', () => {
  test('of a service account and of its additional secrets', async () => {
    const header = { 'idempotency-key': randomUUID() };
    const first = await admin.post('/api/service-accounts', { name: 'x' }, header);
    const again = await admin.post('/api/service-accounts', { name: 'x' }, header);
    const { client_secret, ...rest } = first.body;
    expect(client_secret).toMatch(/^vsa_/);
    expect(again.body).toEqual(rest);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(await countOf('idempotency_keys', `body::text LIKE '%vsa_%'`)).toBe(0);
  });
});
