import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Client } from './support/client.js';
import { type Service, startService } from './support/service.js';

interface Account {
  id: string;
  client_secret: string;
  secrets: { id: string; last_used_at: string | null; expires_at: string }[];
}

let service: Service;
let admin: Client;

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_SIGN_IN_PER_IP: '0' });
  admin = await service.as(await service.factory.admin());
});
afterAll(() => service.close());

const make = async (body: object = {}): Promise<Account> =>
  (await admin.post<Account>('/api/service-accounts', { name: 'Nightly', ...body })).body;

const signIn = (client_id: string, client_secret: string) =>
  service.api.post<{ access_token: string }>('/api/auth/token', {
    grant_type: 'client_credentials',
    client_id,
    client_secret,
  });

const as = async ({ id, client_secret }: Account): Promise<Client> =>
  new Client(service.url, (await signIn(id, client_secret)).body.access_token);

describe('POST /api/service-accounts', () => {
  test('201: the secret is shown once and only its hash is stored', async () => {
    const response = await admin.post<Account>('/api/service-accounts', { name: 'Nightly' });
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe(`/api/service-accounts/${response.body.id}`);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.body.client_secret).toMatch(/^vsa_[\w-]{43}$/);
    const again = await admin.get(`/api/service-accounts/${response.body.id}`);
    expect(JSON.stringify(again.body)).not.toContain('vsa_');
    const [row] = await service.database.query<{ hash: Buffer }[]>(
      'SELECT hash FROM service_account_secrets WHERE user_id = $1',
      [response.body.id],
    );
    expect(row?.hash).toHaveLength(32);
  });

  test('400: without a name, or a secret valid for more than a year', async () => {
    expect((await admin.post('/api/service-accounts', {})).status).toBe(400);
    const long = await admin.post('/api/service-accounts', { name: 'x', expires_in_days: 366 });
    expect(long.status).toBe(400);
  });

  test('403: admins only, with an audit event', async () => {
    const member = await service.factory.user();
    const response = await (await service.as(member)).post('/api/service-accounts', { name: 'x' });
    expect(response.status).toBe(403);
    const list = await admin.get<{ audit_events: unknown[] }>(
      `/api/audit-events?action=access_denied&actor_id=${member.id}`,
    );
    expect(list.body.audit_events).toMatchObject([
      {
        outcome: 'denied',
        details: { method: 'POST', route: '/api/service-accounts', code: 'access_denied' },
      },
    ]);
  });
});

describe('client_credentials', () => {
  test('200: an access token and no refresh token; the use is recorded', async () => {
    const account = await make();
    const response = await signIn(account.id, account.client_secret);
    expect(response.status).toBe(200);
    expect(Object.keys(response.body).toSorted()).toEqual(['access_token', 'expires_in', 'token_type']);
    const { body } = await admin.get<Account>(`/api/service-accounts/${account.id}`);
    expect(body.secrets[0]?.last_used_at).not.toBeNull();
  });

  test('401: the same response for a wrong, foreign, expired, removed or disabled secret', async () => {
    const [account, other, expired, disabled] = await Promise.all([make(), make(), make(), make()]);
    await service.database.query('UPDATE service_account_secrets SET expires_at = now() WHERE user_id = $1', [
      expired.id,
    ]);
    await admin.patch(`/api/service-accounts/${disabled.id}`, { status: 'disabled' });
    const responses = await Promise.all([
      signIn(account.id, `vsa_${'x'.repeat(43)}`),
      signIn(account.id, other.client_secret),
      signIn(randomUUID(), account.client_secret),
      signIn('no uuid', account.client_secret),
      signIn(expired.id, expired.client_secret),
      signIn(disabled.id, disabled.client_secret),
    ]);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]));
    expect(new Set(responses.map(({ body }) => (body as { code?: string }).code))).toEqual(
      new Set(['invalid_credentials']),
    );
  });

  test('it has the access that it was granted, and is in no list of users', async () => {
    const account = await make();
    const workspace = await service.factory.workspace();
    const machine = await as(account);
    expect((await machine.get('/api/workspaces')).body).toEqual({ workspaces: [] });
    await admin.put(`/api/workspaces/${workspace.id}/members/${account.id}`, { role: 'viewer' });
    const { body } = await machine.get<{ workspaces: { id: string }[] }>('/api/workspaces');
    expect(body.workspaces.map(({ id }) => id)).toEqual([workspace.id]);
    expect(JSON.stringify((await admin.get('/api/users')).body)).not.toContain(account.id);
    expect(JSON.stringify((await admin.get('/api/users?kind=service')).body)).toContain(account.id);
  });

  test('it cannot be invited, nor sign in with a password', async () => {
    const email = `${(await make()).id}@service.invalid`;
    expect((await admin.post('/api/users/invite', { email })).status).toBe(400);
    expect((await service.api.post('/api/auth/token', { email, password: 'x' })).status).toBe(400);
  });

  test('hundreds of sign-ins do not invalidate a token in use', async () => {
    const account = await make();
    const first = await as(account);
    for (let count = 0; count < 60; count += 1) await signIn(account.id, account.client_secret);
    expect((await first.get('/api/workspaces')).status).toBe(200);
  });
});

describe('PATCH and DELETE /api/service-accounts/:id', () => {
  test('disabling ends its sessions immediately', async () => {
    const account = await make();
    const machine = await as(account);
    const response = await admin.patch(`/api/service-accounts/${account.id}`, { status: 'disabled' });
    expect(response.body).toMatchObject({ id: account.id, status: 'disabled' });
    expect((await machine.get('/api/workspaces')).status).toBe(401);
  });

  test('400 for an email address, which service accounts do not have', async () => {
    const { id } = await make();
    const response = await admin.patch(`/api/service-accounts/${id}`, { email: 'robot@example.com' });
    expect(response).toMatchObject({ status: 400, body: { errors: [{ pointer: '/email' }] } });
    expect(response.body.errors).not.toMatchObject([{ detail: expect.stringMatching(/supported: .*email/) }]);
  });

  test('SES-15 a new role is effective on the next request, and the last human admin is kept', async () => {
    const account = await make();
    const machine = await as(account);
    const roleOf = async (role: string) =>
      (await admin.patch(`/api/service-accounts/${account.id}`, { role })).status;
    expect((await machine.get('/api/users')).status).toBe(403);
    expect(await roleOf('admin')).toBe(200);
    const users = await machine.get<{ users: { id: string }[] }>('/api/users?role=admin&status=active');
    expect(users.body.users).toHaveLength(1);
    // It is an admin, and yet the last one among people stays: somebody has to sign in.
    const [last] = users.body.users;
    expect((await machine.patch(`/api/users/${last?.id}`, { role: 'member' })).body.code).toBe('last_admin');
    expect(await roleOf('member')).toBe(200);
    expect((await machine.get('/api/users')).status).toBe(403);
    const trail = await admin.get<{ audit_events: { details: object }[] }>(
      `/api/audit-events?action=service_account_changed&target_id=${account.id}`,
    );
    expect(trail.body.audit_events.map(({ details }) => details)).toEqual([
      { diff: { role: { from: 'admin', to: 'member' } } },
      { diff: { role: { from: 'member', to: 'admin' } } },
    ]);
  });

  test('204: a deleted account has no access, and its name stays in the audit trail', async () => {
    const account = await make({ name: 'Old export' });
    const machine = await as(account);
    expect((await admin.delete(`/api/service-accounts/${account.id}`)).status).toBe(204);
    expect((await machine.get('/api/workspaces')).status).toBe(401);
    expect((await signIn(account.id, account.client_secret)).status).toBe(401);
    expect((await admin.get(`/api/service-accounts/${account.id}`)).status).toBe(404);
    expect((await admin.delete(`/api/service-accounts/${account.id}`)).status).toBe(404);
    const { body } = await admin.get<{ audit_events: unknown[] }>(`/api/audit-events?actor_id=${account.id}`);
    expect(body.audit_events[0]).toMatchObject({
      actor: { type: 'service_account', name: 'Old export', email: null, removed: true },
    });
  });

  test('204: an audit event for each grant and membership that ends with the account', async () => {
    const account = await make();
    const workspace = await service.factory.workspace();
    const { body: group } = await admin.post<{ id: string }>('/api/groups', { name: 'Machines' });
    const grant = `/api/workspaces/${workspace.id}/grants/users/${account.id}`;
    expect((await admin.put(grant, { role: 'viewer' })).status).toBeLessThan(300);
    const member = `/api/groups/${group.id}/members/users/${account.id}`;
    expect((await admin.put(member)).status).toBeLessThan(300);
    expect((await admin.delete(`/api/service-accounts/${account.id}`)).status).toBe(204);
    const latest = async (target: string) => {
      const path = `/api/audit-events?target_id=${target}&action=`;
      const of = (action: string) => admin.get<{ audit_events: object[] }>(`${path}${action}&limit=1`);
      return [await of('grant_removed'), await of('group_member_removed')].flatMap(
        ({ body }) => body.audit_events,
      );
    };
    expect(await latest(account.id)).toMatchObject([{ details: { workspace_id: workspace.id } }]);
    expect(await latest(group.id)).toMatchObject([
      { details: { source: 'manual', member_type: 'user', member_id: account.id } },
    ]);
  });

  test('404: the id of a user', async () => {
    const { id } = await service.factory.user();
    expect((await admin.get(`/api/service-accounts/${id}`)).status).toBe(404);
    expect((await admin.delete(`/api/service-accounts/${id}`)).status).toBe(404);
    expect((await admin.patch(`/api/service-accounts/${id}`, { name: 'x' })).status).toBe(404);
    expect((await admin.post(`/api/service-accounts/${id}/secrets`)).status).toBe(404);
  });
});

describe('/api/service-accounts/:id/secrets', () => {
  test('two are valid during a rotation, a third one is rejected, also in concurrent requests', async () => {
    const account = await make();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => admin.post(`/api/service-accounts/${account.id}/secrets`)),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ body }) => body.code === 'too_many_secrets')).toHaveLength(9);
    const second = responses.find(({ status }) => status === 201)?.body.client_secret as string;
    expect((await signIn(account.id, account.client_secret)).status).toBe(200);
    expect((await signIn(account.id, second)).status).toBe(200);
  });

  test('204: a removed secret cannot sign in, and its sessions end', async () => {
    const account = await make();
    const machine = await as(account);
    const path = `/api/service-accounts/${account.id}/secrets/${account.secrets[0]?.id}`;
    expect((await admin.delete(path)).status).toBe(204);
    expect((await machine.get('/api/workspaces')).status).toBe(401);
    expect((await signIn(account.id, account.client_secret)).status).toBe(401);
    expect((await admin.delete(path)).status).toBe(404);
  });

  test('204: expired sessions of past tokens are not ended again', async () => {
    const account = await make();
    for (let count = 0; count < 10; count += 1) await signIn(account.id, account.client_secret);
    await service.database.query(
      `UPDATE sessions SET expires_at = now() - interval '1 minute' WHERE user_id = $1`,
      [account.id],
    );
    const machine = await as(account);
    const path = `/api/service-accounts/${account.id}/secrets/${account.secrets[0]?.id}`;
    expect((await admin.delete(path)).status).toBe(204);
    expect((await machine.get('/api/workspaces')).status).toBe(401);
    const { body } = await admin.get<{ audit_events: { details: object }[] }>(
      `/api/audit-events?action=signed_out&target_id=${account.id}`,
    );
    expect(body.audit_events.map(({ details }) => details)).toEqual([
      { reason: 'secret_revoked', sessions: 1 },
    ]);
  });

  test('AZ-04 404: the secret of another account', async () => {
    const [account, other] = await Promise.all([make(), make()]);
    const path = `/api/service-accounts/${account.id}/secrets/${other.secrets[0]?.id}`;
    expect((await admin.delete(path)).status).toBe(404);
  });
});
