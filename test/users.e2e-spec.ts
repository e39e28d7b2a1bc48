import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { type Service, startService } from './support/service.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

interface Users {
  users: { id: string; email: string; name: string }[];
}

describe('GET /api/users/me', () => {
  test('200: the profile, with the active grants', async () => {
    const { factory, signIn, clock } = service;
    const ada = await factory.user({ name: 'Ada' });
    const [sales, finance] = [await factory.workspace(), await factory.workspace()];
    await factory.grant(ada, sales, 'editor');
    await factory.grant(ada, finance, 'viewer', clock.in(-1));
    expect((await (await signIn(ada)).get('/api/users/me')).body).toEqual({
      id: ada.id,
      email: ada.email,
      name: 'Ada',
      role: 'member',
      status: 'active',
      created_at: ada.createdAt.toISOString(),
      last_sign_in_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      source: 'manual',
      grants: [
        {
          workspace_id: sales.id,
          workspace_name: sales.name,
          report_id: null,
          report_name: null,
          role: 'editor',
          source: 'manual',
          expires_at: null,
          path: [],
        },
      ],
      grant_counts: { workspaces: 1, reports: 0 },
      locale: null,
      time_zone: null,
      sign_in_methods: ['password'],
    });
  });

  test('200: without a password there is no password sign-in method', async () => {
    const { factory, as, database } = service;
    const ada = await factory.user();
    const api = await as(ada);
    await database.query('UPDATE users SET password_hash = NULL WHERE id = $1', [ada.id]);
    expect((await api.get('/api/users/me')).body).toMatchObject({ sign_in_methods: [] });
  });

  test('401: without a token', async () => {
    const response = await service.api.get('/api/users/me');
    expect(response).toMatchObject({ status: 401, body: { code: 'authentication_required' } });
  });
});

describe('GET /api/users', () => {
  test('AZ-08 200: every user, with exactly the documented fields, sorted by email address', async () => {
    const admin = await service.asAdmin();
    await service.factory.user({ email: 'aaron@example.com', passwordHash: 'never sent' });
    const { status, body } = await admin.get<Users>('/api/users');
    expect(status).toBe(200);
    expect(body.users[0]).toEqual({
      id: expect.any(String),
      email: 'aaron@example.com',
      name: expect.any(String),
      role: 'member',
      status: 'active',
      created_at: expect.any(String),
      last_sign_in_at: null,
      source: 'manual',
    });
    const emails = body.users.map(({ email }) => email);
    expect(emails).toEqual(emails.toSorted());
  });

  test('200: filtered by status, role and part of the name or email address', async () => {
    const admin = await service.asAdmin();
    const zoe = await service.factory.user({ name: 'Zoë 100% Q_1', status: 'disabled' });
    const find = async (query: string) => (await admin.get<Users>(`/api/users?${query}`)).body.users;
    expect((await find('status=disabled')).map(({ id }) => id)).toEqual([zoe.id]);
    expect((await find('role=admin')).some(({ id }) => id === zoe.id)).toBe(false);
    expect((await find(`q=${encodeURIComponent('zoë 100% q_')}`)).map(({ id }) => id)).toEqual([zoe.id]);
    expect((await find(`q=${zoe.email.slice(0, -4)}`)).map(({ id }) => id)).toContain(zoe.id);
    expect(await find('q=Q__')).toEqual([]);
  });

  test('200: newest first', async () => {
    const admin = await service.asAdmin();
    const newest = await service.factory.user({ createdAt: new Date(Date.now() + 60_000) });
    const { body } = await admin.get<Users>('/api/users?sort=-created_at&limit=1');
    expect(body.users.map(({ id }) => id)).toEqual([newest.id]);
  });

  test.each(['status=gone', 'role=root', 'sort=password_hash', 'status=active&status=disabled', 'email=x'])(
    '400: ?%s',
    async (query) => {
      const admin = await service.asAdmin();
      const response = await admin.get(`/api/users?${query}`);
      expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(response.body.detail).toContain(query.split('=')[0]);
    },
  );

  test('401: without a token; 403: a member', async () => {
    const member = await service.as(await service.factory.user());
    expect((await service.api.get('/api/users')).status).toBe(401);
    expect(await member.get('/api/users')).toMatchObject({ status: 403, body: { code: 'access_denied' } });
  });
});

describe('GET /api/users/:id', () => {
  test('200: one user', async () => {
    const ada = await service.factory.user();
    const admin = await service.asAdmin();
    const response = await admin.get(`/api/users/${ada.id}`);
    expect(response).toMatchObject({ status: 200, body: { id: ada.id, email: ada.email } });
    expect((await admin.get(`/api/users/${ada.id.toUpperCase()}`)).body).toEqual(response.body);
  });

  test('400: an invalid id', async () => {
    const admin = await service.asAdmin();
    const response = await admin.get('/api/users/7');
    expect(response).toMatchObject({ status: 400, body: { errors: [{ pointer: '/id' }] } });
  });

  test('AZ-03 403: a member, for another and for an unknown user', async () => {
    const member = await service.as(await service.factory.user());
    const other = await service.factory.user();
    for (const id of [other.id, uuidv7()]) {
      expect(await member.get(`/api/users/${id}`)).toMatchObject({
        status: 403,
        body: { code: 'access_denied' },
      });
    }
  });

  test('404: an unknown id', async () => {
    const admin = await service.asAdmin();
    expect(await admin.get(`/api/users/${uuidv7()}`)).toMatchObject({
      status: 404,
      body: { code: 'user_not_found' },
    });
  });
});
