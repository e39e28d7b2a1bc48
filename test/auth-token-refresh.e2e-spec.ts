import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { databaseUnavailable } from '../src/core/problems/database-problem.js';
import { TokenLimitsService } from '../src/platform/rate-limit/token-limits.service.js';
import { dumpOf } from './support/canaries.js';
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

const sessionOf = async () => {
  const [session] = await service.database.query<{ counter: number; ended_at: Date | null }[]>(
    `SELECT counter, ended_at FROM sessions WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
    [email],
  );
  return session!;
};
const reuses = () =>
  service.database.query<{ outcome: string }[]>(
    `SELECT outcome FROM audit_events WHERE action = 'refresh_token_reused'
     AND actor_id = (SELECT id FROM users WHERE email = $1)`,
    [email],
  );
const refresh = ({ refresh_token }: Pick<Tokens, 'refresh_token'>) =>
  service.api.post<Tokens>('/api/auth/token', { grant_type: 'refresh_token', refresh_token });

describe('POST /api/auth/token with a refresh token', () => {
  test('SES-02 200: another access token of the same session, and the next refresh token', async () => {
    const { status, headers, body } = await refresh(first);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.refresh_token).not.toBe(first.refresh_token);
    expect(body).toMatchObject({ expires_in: 3600, token_type: 'Bearer', refresh_expires_in: 7 * DAY });
    expect((await new Client(service.url, body.access_token).get('/api/users/me')).status).toBe(200);
  });

  test('OBS-01 200: each rotation is one audit event, a repeat within the grace period none', async () => {
    const renewals = () =>
      service.database.query<object[]>(
        `SELECT outcome, target_type, target_id = sessions.id::text AS is_session
         FROM audit_events JOIN sessions ON user_id = actor_id JOIN users ON users.id = user_id
         WHERE action = 'token_refreshed' AND email = $1`,
        [email],
      );
    const event = { outcome: 'allowed', target_type: 'session', is_session: true };
    const second = (await refresh(first)).body;
    expect((await refresh(first)).status).toBe(200);
    expect(await renewals()).toEqual([event]);
    await refresh(second);
    expect(await renewals()).toEqual([event, event]);
  });

  test('SES-03 200: concurrent requests get the same successor', async () => {
    const responses = await Promise.all([refresh(first), refresh(first), refresh(first)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(responses.map(({ body }) => body.refresh_token)).size).toBe(1);
  });

  test('SES-06 200: a request that is repeated after 29 s, because the response was lost, gets the same response', async () => {
    const { lost, again } = await service.clock.frozen(async () => {
      const response = await refresh(first);
      service.clock.advance(29);
      return { lost: response.body, again: (await refresh(first)).body };
    });
    expect(again.refresh_token).toBe(lost.refresh_token);
    expect((await refresh(again)).status).toBe(200);
  });

  test('SES-06 200: a renewal that cannot be counted, because the database fails', async () => {
    const limits = service.app.get(TokenLimitsService);
    jest.spyOn(limits, 'recordRefresh').mockRejectedValueOnce(databaseUnavailable());
    const renewed = await refresh(first);
    expect(renewed.status).toBe(200);
    service.clock.advance(31);
    expect((await refresh(renewed.body)).status).toBe(200);
  });

  test('SES-07 the grace period is exactly 30 seconds', async () => {
    expect(await sessionOf()).toEqual({ counter: 0, ended_at: null });
    await service.clock.frozen(async () => {
      await refresh(first);
      service.clock.advance(29.5);
      expect((await refresh(first)).status).toBe(200);
    });
    service.clock.advance(1);
    expect((await refresh(first)).status).toBe(401);
    expect((await sessionOf()).ended_at).not.toBeNull();
  });

  test('SES-01 is opaque, and nothing in the database can be replayed', async () => {
    const dump = await dumpOf(service.environment.DATABASE_URL as string);
    const bytes = Buffer.from(first.refresh_token, 'base64url');
    expect(bytes).toHaveLength(52);
    const proof = bytes.subarray(20);
    for (const form of [proof.toString('hex'), proof.toString('base64'), first.refresh_token]) {
      expect(dump).not.toContain(form);
    }
    expect(dump).toContain(email);
  });

  test('SES-13 each kind of token is accepted for its purpose only', async () => {
    const { access_token, refresh_token } = first;
    expect((await refresh({ refresh_token: access_token })).status).toBe(400);
    expect((await new Client(service.url, refresh_token).get('/api/users/me')).status).toBe(401);
    for (const secret of [access_token, refresh_token]) {
      const long = 'a long enough password';
      const bodies = [
        { grant_type: 'invitation', invitation_token: secret, password: long },
        { grant_type: 'password_reset', reset_token: secret, password: long },
        { grant_type: 'authorization_code', code: secret, code_verifier: 'v'.repeat(43) },
      ];
      for (const body of bodies) {
        const { status } = await service.api.post('/api/auth/token', body);
        expect(status).toBeGreaterThanOrEqual(400);
        expect(status).toBeLessThan(500);
      }
    }
  });

  test.each([
    ['nothing', ''],
    ['a byte too short', 'x'.repeat(69)],
    ['a byte too long', 'x'.repeat(71)],
    ['of invalid characters', '%'.repeat(70)],
    ['beyond ASCII', '\u{1F511}'.repeat(35)],
    ['padded', `${'A'.repeat(68)}==`],
    ['not canonical', `${'A'.repeat(69)}B`],
    ['of the largest counter', Buffer.alloc(52, 0xff).toString('base64url')],
    ['a number', 7],
    ['null', null],
    ['a list', ['x']],
    ['an object', { length: 70 }],
    ['very long', 'A'.repeat(10_000)],
  ])('SES-14 400 or 401: one that is %s', async (_name, refresh_token) => {
    const response = await service.api.post('/api/auth/token', {
      grant_type: 'refresh_token',
      refresh_token,
    });
    expect([400, 401]).toContain(response.status);
    expect(response.body).toHaveProperty('code');
  });

  test('SES-08 200: refreshing does not extend the absolute end of the session', async () => {
    let tokens = first;
    for (let week = 0; week < 4; week += 1) {
      service.clock.advance(6.5 * DAY);
      tokens = (await refresh(tokens)).body;
    }
    expect(tokens.refresh_expires_in).toBeLessThanOrEqual(4 * DAY);
    service.clock.advance(4 * DAY);
    expect((await refresh(tokens)).status).toBe(401);
  });

  test('400: without a refresh token', async () => {
    const response = await service.api.post('/api/auth/token', { grant_type: 'refresh_token' });
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(response.body.detail).toContain('/refresh_token');
  });

  test('SES-14 401: an invalid token', async () => {
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

  test('SES-04 401: a token reused after the grace period ends the session', async () => {
    const second = (await refresh(first)).body;
    service.clock.advance(31);
    expect((await refresh(first)).status).toBe(401);
    expect((await refresh(second)).status).toBe(401);
    expect((await new Client(service.url, second.access_token).get('/api/users/me')).status).toBe(401);
    expect(await reuses()).toEqual([{ outcome: 'denied' }]);
  });

  test('SES-04 200: a token newer than the database, after a restore; an older one still ends the session', async () => {
    const second = (await refresh(first)).body;
    const third = (await refresh(second)).body;
    await service.database.query(
      'UPDATE sessions SET counter = 0 WHERE user_id = (SELECT id FROM users WHERE email = $1)',
      [email],
    );
    const fourth = await refresh(third);
    expect([fourth.status, await reuses()]).toEqual([200, []]);
    expect((await refresh(second)).status).toBe(401);
    expect(await reuses()).toEqual([{ outcome: 'denied' }]);
    expect((await refresh(fourth.body)).status).toBe(401);
  });

  test('SES-07 401: a token two generations old, even within the grace period', async () => {
    const third = (await refresh((await refresh(first)).body)).body;
    expect((await refresh(first)).status).toBe(401);
    expect((await refresh(third)).status).toBe(401);
  });

  test('SES-08 401: a token unused for a week', async () => {
    service.clock.advance(7 * DAY + 1);
    expect((await refresh(first)).status).toBe(401);
  });

  test('SES-09 401: a disabled account', async () => {
    await service.database.query(`UPDATE users SET status = 'disabled' WHERE email = $1`, [email]);
    expect((await refresh(first)).status).toBe(401);
  });
});
