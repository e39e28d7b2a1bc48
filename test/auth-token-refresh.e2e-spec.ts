import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from './support/client.js';
import { password } from './support/factory.js';
import { type Service, startService } from './support/service.js';

interface Tokens {
  access_token: string;
  refresh_token: string;
  refresh_expires_in: number;
  code?: string;
}

const DAY = 86_400;

let service: Service;
let email: string;
let first: Tokens;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

beforeEach(async () => {
  ({ email } = await service.factory.user());
  first = (await service.api.post<Tokens>('/api/auth/token', { email, password })).body;
});

const refresh = ({ refresh_token }: Pick<Tokens, 'refresh_token'>) =>
  service.api.post<Tokens>('/api/auth/token', { grant_type: 'refresh_token', refresh_token });

describe('POST /api/auth/token with a refresh token', () => {
  test('200: another access token of the same session, and the next refresh token', async () => {
    const { status, headers, body } = await refresh(first);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.refresh_token).not.toBe(first.refresh_token);
    expect(body).toMatchObject({ expires_in: 3600, token_type: 'Bearer', refresh_expires_in: 7 * DAY });
    expect((await new Client(service.url, body.access_token).get('/api/users/me')).status).toBe(200);
  });

  test('200: the same successor for two tabs that ask together', async () => {
    const answers = await Promise.all([refresh(first), refresh(first), refresh(first)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
  });

  test('200: the end of the session comes nearer, whatever is used', async () => {
    let tokens = first;
    for (let week = 0; week < 4; week += 1) {
      service.clock.advance(6.5 * DAY);
      tokens = (await refresh(tokens)).body;
    }
    expect(tokens.refresh_expires_in).toBeLessThanOrEqual(4 * DAY);
    service.clock.advance(4 * DAY);
    expect((await refresh(tokens)).status).toBe(401);
  });

  test('400: no refresh token', async () => {
    const answer = await service.api.post('/api/auth/token', { grant_type: 'refresh_token' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(answer.body.detail).toContain('/refresh_token');
  });

  test('401: one that was made up', async () => {
    const bytes = Buffer.from(first.refresh_token, 'base64url');
    bytes[40]! ^= 1;
    for (const refresh_token of ['x', bytes.toString('base64url'), Buffer.alloc(52).toString('base64url')]) {
      expect(await refresh({ refresh_token })).toMatchObject({
        status: 401,
        body: { code: 'invalid_refresh_token' },
      });
    }
    expect((await refresh(first)).status).toBe(200);
  });

  test('401: used again later, and it ends the session for good', async () => {
    const second = (await refresh(first)).body;
    service.clock.advance(11);
    expect((await refresh(first)).status).toBe(401);
    expect((await refresh(second)).status).toBe(401);
    expect((await new Client(service.url, second.access_token).get('/api/users/me')).status).toBe(401);
    const trail = await service.database.query(
      `SELECT outcome FROM audit_events WHERE action = 'refresh_token_reused'
       AND actor_id = (SELECT id FROM users WHERE email = $1)`,
      [email],
    );
    expect(trail).toEqual([{ outcome: 'denied' }]);
  });

  test('401: two uses behind, even at once', async () => {
    const third = (await refresh((await refresh(first)).body)).body;
    expect((await refresh(first)).status).toBe(401);
    expect((await refresh(third)).status).toBe(401);
  });

  test('401: not used for a week', async () => {
    service.clock.advance(7 * DAY + 1);
    expect((await refresh(first)).status).toBe(401);
  });

  test('401: the account was disabled', async () => {
    await service.database.query(`UPDATE users SET status = 'disabled' WHERE email = $1`, [email]);
    expect((await refresh(first)).status).toBe(401);
  });
});
