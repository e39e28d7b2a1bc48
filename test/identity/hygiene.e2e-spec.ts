import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Config } from '../../src/core/config/config.js';
import { FirstAdminService } from '../../src/users/first-admin.service.js';
import type { Client } from '../support/client.js';
import { password } from '../support/factory.js';
import { type Service, startService } from '../support/service.js';

const first = { ADMIN_EMAIL: 'Root@Example.com', ADMIN_PASSWORD: 'plum harbour violet thirteen' };

let service: Service;
let bare: Service;
let admin: Client;

beforeAll(async () => {
  bare = await startService();
  service = await startService(first);
  admin = await service.asAdmin();
});
afterAll(async () => {
  await service.close();
  await bare.close();
});

const signIn = (body: object) => service.api.post('/api/auth/token', body);

describe('AUTH-33 the first admin', () => {
  test('is the configured one, created once however many replicas start', async () => {
    const credentials = { email: first.ADMIN_EMAIL, password: first.ADMIN_PASSWORD };
    expect((await signIn(credentials)).status).toBe(200);
    await service.database.query(`UPDATE users SET status = 'disabled' WHERE email = 'root@example.com'`);
    await Promise.all(Array.from({ length: 5 }, () => service.app.get(FirstAdminService).ensure()));
    expect((await signIn(credentials)).status).toBe(401);
    const [{ roots }] = await service.database.query(
      `SELECT count(*)::int AS roots FROM users WHERE name = 'Administrator'`,
    );
    expect(roots).toBe(1);
  });

  test('is not created without configuration', async () => {
    expect(await bare.database.query('SELECT email FROM users')).toEqual([]);
  });
});

describe('POST /api/auth/token', () => {
  test('AUTH-34 accepts JSON in the body of a POST only, and responds with no-store', async () => {
    const query = `?email=root@example.com&password=${encodeURIComponent(password)}`;
    expect((await service.api.get(`/api/auth/token${query}`)).status).toBe(405);
    expect((await service.api.post(`/api/auth/token${query}`)).status).toBe(400);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = `grant_type=password&username=root@example.com&password=${encodeURIComponent(password)}`;
    expect((await service.api.post('/api/auth/token', body, form)).status).toBe(415);
    for (const answer of [await signIn({}), await signIn({ email: 'a@b.example', password })]) {
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  test('AUTH-35 is not an OAuth password grant', async () => {
    const answer = await signIn({ grant_type: 'password', username: 'root@example.com', password });
    expect(answer).toMatchObject({ status: 400, body: { code: 'unsupported_grant_type' } });
    const client = await signIn({ email: 'root@example.com', password, client_id: 'portal' });
    expect(client).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});

test('AUTH-12 an email address is unique in every spelling, enforced by the database', async () => {
  const { email } = await service.factory.user();
  await expect(service.factory.user({ email })).rejects.toThrow(/duplicate key/);
  const variants = [email.toUpperCase(), ` ${email} `, email.replace('person', 'ｐerson')];
  for (const variant of variants) {
    const answer = await admin.post('/api/users/invite', { email: variant });
    expect([variant, answer.status]).toEqual([variant, 409]);
  }
});

test('JWT-12 a server key of fewer than 32 bytes prevents the start, and is not printed', () => {
  const short = Buffer.alloc(31, 7).toString('base64url');
  for (const SECRET_KEY of [short, '', `${service.environment.SECRET_KEY},${short}`]) {
    let message = '';
    try {
      Config.load({ ...service.environment, SECRET_KEY });
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain('SECRET_KEY');
    expect(message).not.toContain(short);
  }
});

test('RACE-07 no concurrent change is lost: each one starts from the result of the previous one', async () => {
  const { id } = await service.factory.user({ name: 'Start' });
  const names = Array.from({ length: 15 }, (_, index) => `Name ${index}`);
  const attributes = { attributes: { employee_id: '7' } };
  const responses = await Promise.all(
    [...names.map((name) => ({ name })), attributes].map((body) => admin.patch(`/api/users/${id}`, body)),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  const events = await service.database.query<{ changed: string[] }[]>(
    `SELECT details->'changed' AS changed FROM audit_events WHERE target_id = $1`,
    [id],
  );
  const changes = events.map(({ changed }) => changed.join()).toSorted();
  expect(changes).toEqual(['attributes.employee_id', ...names.map(() => 'name')]);
  expect(names).toContain((await admin.get(`/api/users/${id}`)).body.name);
  const [row] = await service.database.query<object[]>('SELECT attributes FROM users WHERE id = $1', [id]);
  expect(row).toEqual(attributes);
});

describe('AZ-12 an alternative spelling of a path', () => {
  /** As it stands: `fetch` would tidy it up. */
  const statusOf = (path: string, headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      request(new URL(service.url), { path, headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });

  test.each([
    '/api/users/',
    '/api//users',
    '//api/users',
    '/API/USERS',
    '/api/./users',
    '/livez/../api/users',
    '/livez/..%2fapi/users',
    '/api/auth/token/../../users',
    '/api/users%2f',
    '/%61pi/users',
    '/api/users;.css',
    '/api/users.json',
    '/api/users%00',
    '/api/users?x=/livez',
    '/api/users#/livez',
  ])('%s gives no access', async (path) => {
    const member = await service.as(await service.factory.user());
    expect([400, 401, 404]).toContain(await statusOf(path, {}));
    const asMember = { authorization: `Bearer ${member.token}` };
    expect([400, 403, 404]).toContain(await statusOf(path, asMember));
  });

  test('or of a method in a header is ignored', async () => {
    const headers = { 'x-original-url': '/livez', 'x-rewrite-url': '/livez' };
    expect(await statusOf('/api/users', headers)).toBe(401);
    expect(await statusOf('/livez', { 'x-original-url': '/api/users' })).toBe(200);
    expect(await statusOf('/api/auth/token', { 'x-http-method-override': 'POST' })).toBe(405);
  });
});

test('OBS-08 metrics and API docs are not public', async () => {
  for (const path of ['/metrics', '/docs', '/docs-json', '/openapi.json']) {
    expect([path, (await service.api.get(path)).status]).toEqual([path, 404]);
  }
});
