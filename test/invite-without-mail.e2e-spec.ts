import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from './support/client.js';
import { password } from './support/factory.js';
import { startInProcessReplica } from './support/replicas.js';
import { type Service, startService } from './support/service.js';
import { until } from './support/until.js';

let service: Service;

beforeAll(async () => {
  service = await startService({ SMTP_URL: '' });
});
afterAll(() => service.close());

describe('POST /api/users/invite without a mail server', () => {
  test('201: an admin gets the link, in this response only', async () => {
    const admin = await service.asAdmin();
    const { status, headers, body } = await admin.post('/api/users/invite', { email: 'ada@example.com' });
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({ delivery: 'not_configured' });
    const secret = /^https:\/\/vitrine\.test\/invitation#token=([\w-]+)$/.exec(
      body.accept_url as string,
    )?.[1];
    const grant = { grant_type: 'invitation', invitation_token: secret, password };
    expect((await service.api.post('/api/auth/token', grant)).status).toBe(200);
  });

  test('201: a manager gets no link', async () => {
    const sales = await service.factory.workspace();
    const manager = await service.asMember(sales, 'manager');
    const workspaces = [{ workspace_id: sales.id, role: 'viewer' }];
    const { status, body } = await manager.post('/api/users/invite', {
      email: 'eve@example.com',
      workspaces,
    });
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('accept_url');
  });
});

describe('without a mail server, the link that an admin shared', () => {
  interface Invited {
    id: string;
    expires_at: string;
    accept_url?: string;
  }

  test.each([
    [
      'a repeated invitation',
      (by: Client, _id: string, body: object) => by.post<Invited>('/api/users/invite', body),
    ],
    ['a resend', (by: Client, id: string) => by.post<Invited>(`/api/invitations/${id}/resend`)],
    ['a resend of all', (by: Client) => by.post<Invited>('/api/invitations/resend')],
  ])('works after %s by a manager, and longer', async (name, repeat) => {
    const { factory, clock } = service;
    const sales = await factory.workspace();
    const manager = await service.asMember(sales, 'manager');
    const email = `${name.replaceAll(' ', '-')}@example.com`;
    const body = { email, workspaces: [{ workspace_id: sales.id, role: 'viewer' }] };
    const { id } = (await manager.post<Invited>('/api/users/invite', body)).body;
    clock.advance(61);
    const shared = await (await service.asAdmin()).post<Invited>(`/api/invitations/${id}/resend`);
    const secret = shared.body.accept_url?.split('#token=')[1];
    clock.advance(61);
    expect((await repeat(manager, id, body)).status).toBeLessThan(300);
    const { expires_at } = (await manager.get<Invited>(`/api/invitations/${id}`)).body;
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.parse(shared.body.expires_at));
    const grant = { grant_type: 'invitation', invitation_token: secret, password };
    expect((await service.api.post('/api/auth/token', grant)).status).toBe(200);
  });
});

test('a link from before the disabling of its user stays void when a manager resends its expired invitation', async () => {
  const { factory, clock } = service;
  const sales = await factory.workspace();
  const email = 'void@example.com';
  const body = { email, workspaces: [{ workspace_id: sales.id, role: 'viewer' }] };
  const accept = (invitation_token?: string) =>
    service.api.post('/api/auth/token', { grant_type: 'invitation', invitation_token, password });
  const invite = async (by: Client) => {
    const invited = (await by.post<{ id: string; accept_url: string }>('/api/users/invite', body)).body;
    return { id: invited.id, secret: invited.accept_url.split('#token=')[1] };
  };
  const former = await invite(await service.asAdmin());
  clock.advance(73 * 3600);
  // Access tokens have expired.
  const [admin, manager] = [await service.asAdmin(), await service.asMember(sales, 'manager')];
  expect((await accept((await invite(admin)).secret)).status).toBe(200);
  const { users } = (await admin.get<{ users: { id: string }[] }>(`/api/users?q=${email}`)).body;
  expect((await admin.patch(`/api/users/${users[0]!.id}`, { status: 'disabled' })).status).toBe(200);
  expect((await manager.post(`/api/invitations/${former.id}/resend`)).status).toBe(200);
  expect((await accept(former.secret)).status).toBe(400);
  expect((await admin.get(`/api/users/${users[0]!.id}`)).body).toMatchObject({ status: 'disabled' });
});

test('an email about a changed password fails no job', async () => {
  const ada = await service.factory.user();
  const change = { current_password: password, new_password: 'violet lamp drinks tea' };
  expect((await (await service.as(ada)).put('/api/users/me/password', change)).status).toBe(204);
  const job = await until(async () => {
    const [row] = await service.database.query<{ state: string; retry_count: number }[]>(
      `SELECT state, retry_count FROM pgboss.job WHERE name = 'password_changed_mail' AND data->>'user_id' = $1`,
      [ada.id],
    );
    return !['created', 'active'].includes(row?.state ?? '') && row;
  });
  expect(job).toEqual({ state: 'completed', retry_count: 0 });
});

test('an invitation whose email waits when the mail server is removed is not sent, and has a link again', async () => {
  const start = (SMTP_URL: string) =>
    startInProcessReplica({ ...service, environment: { ...service.environment, SMTP_URL } });
  const admin = await service.asAdmin();
  const before = await start('smtp://127.0.0.1:9');
  const invitation = { email: 'ida@example.com' };
  const invited = await before.as(admin).post<{ id: string }>('/api/users/invite', invitation);
  expect(invited.body).toMatchObject({ delivery: 'queued' });
  await before.close();
  // Requests go to the newest replica: Passport's strategy, which reads the principal, is that of the newest in the process.
  const after = await start('');
  const path = `/api/invitations/${invited.body.id}`;
  const delivered = await until(async () => {
    await service.database.query(`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'`);
    const { body } = await after.as(admin).get(path);
    return body.delivery !== 'queued' && body;
  });
  expect(delivered).toMatchObject({ delivery: 'not_configured' });
  expect(delivered).not.toHaveProperty('delivery_error');
  service.clock.advance(61);
  const again = await after.as(await service.asAdmin()).post(`${path}/resend`);
  expect(again.body).toMatchObject({ accept_url: expect.stringContaining('#token=') });
  await after.close();
});
