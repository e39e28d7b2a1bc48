import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SessionCleanupService } from '../../src/auth/sessions/session-cleanup.service.js';
import type { User } from '../../src/users/user.entity.js';
import { Client } from '../support/client.js';
import { password } from '../support/factory.js';
import { type Service, startService } from '../support/service.js';

interface Tokens {
  access_token: string;
  refresh_token: string;
}

interface SessionBody {
  id: string;
  current: boolean;
  last_used_at: string;
  user_agent: string;
  method: string;
}

let service: Service;
let ada: User;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  ada = await service.factory.user();
});

const signIn = async (): Promise<Tokens & { api: Client }> => {
  const { body } = await service.api.post<Tokens>('/api/auth/token', { email: ada.email, password });
  return { ...body, api: new Client(service.url, body.access_token) };
};
const refresh = (refresh_token: string) =>
  service.api.post<Tokens>('/api/auth/token', { grant_type: 'refresh_token', refresh_token });
const sessionsOf = async (api: Client) =>
  (await api.get<{ sessions: SessionBody[] }>('/api/auth/sessions')).body.sessions;
const statusOf = async (api: Client) => (await api.get('/api/users/me')).status;

describe('GET /api/auth/sessions', () => {
  test("200: the caller's sessions only, with the current one marked", async () => {
    const [first, second] = [await signIn(), await signIn()];
    await service.as(await service.factory.user());
    const sessions = await sessionsOf(second.api);
    expect(sessions).toHaveLength(2);
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    expect(Object.keys(sessions[0]!).toSorted()).toEqual(
      'created_at current expires_at id ip last_used_at method user_agent'.split(' '),
    );
    expect(await statusOf(first.api)).toBe(200);
  });

  test('200: an expired session is not listed', async () => {
    const { api } = await signIn();
    await service.database.query(
      `UPDATE sessions SET last_used_at = now() - interval '8 days' WHERE user_id = $1`,
      [ada.id],
    );
    expect(await sessionsOf(api)).toEqual([]);
  });

  test('200: the last used first, in pages, also for an admin', async () => {
    const { api } = await signIn();
    await service.database.query(
      `INSERT INTO sessions SELECT gen_random_uuid(), user_id, 'client', salt, counter, ip, user_agent, created_at,
         rotated_at, last_used_at - n * interval '1 second', expires_at
       FROM sessions, generate_series(1, 1005) n WHERE user_id = $1`,
      [ada.id],
    );
    const admin = await service.asAdmin();
    for (const [reader, path] of [
      [api, '/api/auth/sessions'],
      [admin, `/api/users/${ada.id}/sessions`],
    ] as const) {
      const first = await reader.get<{ sessions: SessionBody[] }>(path);
      const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
      const last = await reader.get<{ sessions: SessionBody[] }>(next);
      expect([first.body.sessions.length, last.body.sessions.length]).toEqual([1000, 6]);
      expect(last.headers.get('link')).toBeNull();
      const all = [...first.body.sessions, ...last.body.sessions];
      expect(new Set(all.map(({ id }) => id)).size).toBe(1006);
      const times = all.map(({ last_used_at }) => last_used_at);
      expect(times).toEqual(times.toSorted().toReversed());
      expect(all[0]?.current).toBe(reader === api);
    }
  });
});

describe('POST /api/auth/logout', () => {
  test('SES-10 204: ends this session only, for access and refresh tokens', async () => {
    const [first, second] = [await signIn(), await signIn()];
    expect((await first.api.post('/api/auth/logout')).status).toBe(204);
    expect(await statusOf(first.api)).toBe(401);
    expect((await refresh(first.refresh_token)).status).toBe(401);
    expect(await statusOf(second.api)).toBe(200);
    expect((await refresh(second.refresh_token)).status).toBe(200);
  });

  test('SES-05: an ended session has no grace period', async () => {
    const { api, refresh_token } = await signIn();
    const next = await refresh(refresh_token);
    await api.post('/api/auth/logout');
    expect((await refresh(refresh_token)).status).toBe(401);
    expect((await refresh(next.body.refresh_token)).status).toBe(401);
  });

  test('RACE-04: no token survives a concurrent refresh and logout', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { api, refresh_token } = await signIn();
      const [renewed] = await Promise.all([refresh(refresh_token), api.post('/api/auth/logout')]);
      expect(await statusOf(api)).toBe(401);
      expect((await refresh(renewed.body.refresh_token ?? refresh_token)).status).toBe(401);
    }
  });
});

test.each(['/api/auth/introspect', '/api/auth/token/introspect', '/oauth2/introspect', '/introspect'])(
  'SES-12 404: there is no introspection at %s',
  async (path) => {
    const { api, access_token, refresh_token } = await signIn();
    for (const token of [access_token, refresh_token]) {
      for (const asker of [service.api, api]) {
        expect(await asker.post(path, { token })).toMatchObject({
          status: 404,
          body: { code: 'route_not_found' },
        });
      }
    }
  },
);

describe('DELETE /api/auth/sessions/:id', () => {
  test("204: ends one of the caller's sessions", async () => {
    const [first, second] = [await signIn(), await signIn()];
    const other = (await sessionsOf(second.api)).find(({ current }) => !current)!;
    expect((await second.api.delete(`/api/auth/sessions/${other.id}`)).status).toBe(204);
    expect(await statusOf(first.api)).toBe(401);
    expect(await statusOf(second.api)).toBe(200);
  });

  test('AZ-03 SES-11 404: the same response for a foreign, an ended and an unknown session', async () => {
    const eve = await service.as(await service.factory.user());
    const over = await signIn();
    const [ended] = await sessionsOf(over.api);
    await over.api.post('/api/auth/logout');
    const { api } = await signIn();
    const [own] = await sessionsOf(api);
    const [foreign] = await sessionsOf(eve);
    const unknown = foreign!.id.replace(/.$/, '0');
    const responses = [await api.delete(`/api/auth/sessions/${foreign!.id}`)];
    responses.push(await api.delete(`/api/auth/sessions/${unknown}`));
    responses.push(await api.delete(`/api/auth/sessions/${ended!.id}`));
    for (const { status, body } of responses) {
      expect([status, body.code, body.detail]).toEqual([
        404,
        'session_not_found',
        'You have no session with this id.',
      ]);
    }
    expect(await statusOf(eve)).toBe(200);
    expect(own!.current).toBe(true);
  });
});

describe('DELETE /api/auth/sessions', () => {
  test('SES-10 204: ends all other sessions', async () => {
    const [first, second, third] = [await signIn(), await signIn(), await signIn()];
    expect((await second.api.delete('/api/auth/sessions')).status).toBe(204);
    expect(await Promise.all([first, second, third].map(({ api }) => statusOf(api)))).toEqual([
      401, 200, 401,
    ]);
  });
});

test('SES-17: sessions that ended a month ago are deleted in batches, also by concurrent replicas', async () => {
  const { api } = await signIn();
  await service.database.query(
    `INSERT INTO sessions SELECT gen_random_uuid(), user_id, method, salt, counter, ip, user_agent, created_at,
       rotated_at, last_used_at, expires_at, now() - interval '31 days', 'signed_out'
     FROM sessions, generate_series(1, 1500) WHERE user_id = $1`,
    [ada.id],
  );
  const cleanup = service.app.get(SessionCleanupService);
  await Promise.all([cleanup.remove(), cleanup.remove()]);
  const [{ left }] = await service.database.query(
    'SELECT count(*)::int AS left FROM sessions WHERE user_id = $1',
    [ada.id],
  );
  expect(left).toBe(1);
  expect(await statusOf(api)).toBe(200);
});

test('SES-17: expired sessions of service accounts are deleted after an hour, ended ones are kept', async () => {
  const { api } = await signIn();
  await service.database.query(
    `INSERT INTO sessions SELECT gen_random_uuid(), user_id, 'client', salt, counter, ip, user_agent, created_at,
       rotated_at, last_used_at, now() - n * interval '40 minutes', ended_at, end_reason
     FROM sessions, generate_series(1, 2) n WHERE user_id = $1`,
    [ada.id],
  );
  await service.database.query(
    `INSERT INTO sessions SELECT gen_random_uuid(), user_id, method, salt, counter, ip, user_agent, created_at,
       rotated_at, last_used_at, expires_at, expires_at, 'secret_revoked'
     FROM sessions WHERE user_id = $1 AND expires_at < now()`,
    [ada.id],
  );
  await service.app.get(SessionCleanupService).remove();
  const left = await service.database.query(
    'SELECT method, end_reason FROM sessions WHERE user_id = $1 ORDER BY expires_at, end_reason',
    [ada.id],
  );
  expect(left).toEqual([
    { method: 'client', end_reason: 'secret_revoked' },
    { method: 'client', end_reason: 'secret_revoked' },
    { method: 'client', end_reason: null },
    { method: 'password', end_reason: null },
  ]);
  expect(await statusOf(api)).toBe(200);
});

test('SES-16: the 51st session ends the least recently used one', async () => {
  const first = await signIn();
  const oldest = await signIn();
  await service.database.query(
    `INSERT INTO sessions SELECT gen_random_uuid(), user_id, method, salt, counter, ip, user_agent, created_at,
       rotated_at, now() + interval '1 second', expires_at FROM sessions, generate_series(1, 48)
     WHERE user_id = $1 AND id = (SELECT min(id::text)::uuid FROM sessions WHERE user_id = $1)`,
    [ada.id],
  );
  await refresh(first.refresh_token);
  await service.database.query(`UPDATE sessions SET last_used_at = now() - interval '1 hour' WHERE id = $1`, [
    (await sessionsOf(oldest.api)).find(({ current }) => current)!.id,
  ]);
  const { api } = await signIn();
  expect(await sessionsOf(api)).toHaveLength(50);
  expect(await statusOf(oldest.api)).toBe(401);
  expect(await statusOf(first.api)).toBe(200);
});
