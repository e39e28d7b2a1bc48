import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { behindProxy, guess, newAddress, passTime, retryAfter, signIn } from './support/guessing.js';
import { startInProcessReplica } from './support/replicas.js';
import { type Service, startService } from './support/service.js';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

let service: Service;
let url: string;

beforeAll(async () => {
  service = await startService({
    ...behindProxy,
    RATE_LIMIT_SIGN_IN_PER_IP: '30',
    RATE_LIMIT_SIGN_IN_SUCCESSES_PER_IP: '40',
  });
  ({ url } = service);
});
afterAll(() => service.close());

const token = (from: string, body: object) =>
  service.api.post('/api/auth/token', body, { 'x-forwarded-for': from });

const renew = (from: string, refresh_token: unknown) =>
  token(from, { grant_type: 'refresh_token', refresh_token });

describe('one address', () => {
  test('AUTH-15 33 people of one office can sign in at the same time', async () => {
    const from = newAddress();
    const people = await Promise.all(Array.from({ length: 33 }, () => service.factory.user()));
    for (const { email } of people) expect((await signIn({ url, email, from })).status).toBe(200);
    const { email } = people[0]!;
    expect((await guess({ url, email, from })).status).toBe(401);
  });

  test('AUTH-15 may sign in as often as configured in five minutes', async () => {
    const { email } = await service.factory.user();
    const from = newAddress();
    for (let count = 0; count < 40; count += 1) expect((await signIn({ url, email, from })).status).toBe(200);
    const refused = await signIn({ url, email, from });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(retryAfter(refused)).toBeLessThanOrEqual(5 * MINUTE);
    expect((await signIn({ url, email, from: newAddress() })).status).toBe(200);
    await passTime(service, 5 * MINUTE + 1);
    expect((await signIn({ url, email, from })).status).toBe(200);
  });

  test('AUTH-15 may fail 30 times in five minutes', async () => {
    const { email } = await service.factory.user();
    const from = newAddress();
    for (let count = 0; count < 30; count += 1) {
      expect((await guess({ url, email: `misspelt-${count}@example.com`, from })).status).toBe(401);
    }
    const refused = await signIn({ url, email, from });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(retryAfter(refused)).toBeLessThanOrEqual(5 * MINUTE);
    expect((await signIn({ url, email, from: newAddress() })).status).toBe(200);
    await passTime(service, 5 * MINUTE + 1);
    expect((await signIn({ url, email, from })).status).toBe(200);
  });

  test('AUTH-15 is the same address with every port that a proxy adds to it', async () => {
    const address = newAddress();
    for (let count = 0; count < 30; count += 1) {
      const from = `${address}:${50_000 + count}`;
      expect((await guess({ url, email: `ported-${count}@example.com`, from })).status).toBe(401);
    }
    expect((await guess({ url, email: 'ported@example.com', from: `${address}:60000` })).status).toBe(429);
    const { id, email } = await service.factory.user();
    await signIn({ url, email, from: '[2001:db8::7]:443' });
    await signIn({ url, email, from: 'unknown' });
    const sessions = 'SELECT ip FROM sessions WHERE user_id = $1 ORDER BY created_at, id';
    const ips = (await service.database.query<{ ip: string }[]>(sessions, [id])).map(({ ip }) => ip);
    expect(ips).toEqual(['2001:db8::7', expect.stringContaining('127.0.0.1')]);
  });

  test('AUTH-15 may fail a hundred times a day', async () => {
    const from = newAddress();
    for (let count = 0; count < 100; count += 1) {
      if (count % 30 === 29) await passTime(service, 5 * MINUTE + 1);
      expect((await guess({ url, email: `spray-${count}@example.com`, from })).status).toBe(401);
    }
    await passTime(service, 5 * MINUTE + 1);
    const refused = await guess({ url, email: 'spray-100@example.com', from });
    expect(refused.status).toBe(429);
    expect(retryAfter(refused)).toBeGreaterThan(DAY - 60 * MINUTE);
    await passTime(service, DAY);
    expect((await guess({ url, email: 'spray-101@example.com', from })).status).toBe(401);
  });

  test('AUTH-15 may fail as often a day as configured for five minutes, if that is more than a hundred times', async () => {
    const environment = { ...service.environment, RATE_LIMIT_SIGN_IN_PER_IP: '101' };
    const replica = await startInProcessReplica({ ...service, environment });
    const from = newAddress();
    const attempt = (count: number) =>
      guess({ url: replica.url, email: `raised-${count}@example.com`, from });
    try {
      for (let count = 0; count < 101; count += 1) expect((await attempt(count)).status).toBe(401);
      expect((await attempt(101)).status).toBe(429);
    } finally {
      await replica.close();
    }
  });

  test('AUTH-17 attempts rejected by another limit do not count', async () => {
    const { email } = await service.factory.user();
    const from = newAddress();
    for (let count = 0; count < 40; count += 1) await guess({ url, email, from });
    const grace = await service.factory.user();
    expect((await signIn({ url, email: grace.email, from })).status).toBe(200);
  });

  test('AUTH-29 may send ten invalid link secrets in 15 minutes', async () => {
    const from = newAddress();
    const accept = (invitation_token: string) =>
      token(from, { grant_type: 'invitation', invitation_token, password: 'violet lamp drinks tea' });
    const reset = (reset_token: string) =>
      token(from, { grant_type: 'password_reset', reset_token, password: 'violet lamp drinks tea' });
    for (let count = 0; count < 5; count += 1) {
      expect((await accept(`made-up-${count}`)).body.code).toBe('invalid_invitation');
      expect((await reset(`made-up-${count}`)).body.code).toBe('invalid_password_reset');
    }
    const refused = await accept('made-up-again');
    expect(refused.status).toBe(429);
    expect(retryAfter(refused)).toBeLessThanOrEqual(15 * MINUTE);
    expect((await reset('made-up-again')).status).toBe(429);
    await passTime(service, 15 * MINUTE + 1);
    expect((await accept('made-up-again')).status).toBe(400);
  });

  test('AUTH-29 previews of links count towards the same limit', async () => {
    const from = newAddress();
    const preview = (path: string) =>
      service.api.post(path, { token: 'made-up' }, { 'x-forwarded-for': from });
    for (let count = 0; count < 5; count += 1) {
      expect((await preview('/login/invitation/preview')).body.code).toBe('invalid_invitation');
      expect((await preview('/login/password-reset/preview')).body.code).toBe('invalid_password_reset');
    }
    expect((await preview('/login/invitation/preview')).status).toBe(429);
    expect((await preview('/login/password-reset/preview')).status).toBe(429);
    const password = 'violet lamp drinks tea';
    const accept = { grant_type: 'invitation', invitation_token: 'made-up', password };
    expect((await token(from, accept)).status).toBe(429);
  });

  test('AUTH-29 RACE-05 of fifty concurrent invalid link secrets ten are evaluated', async () => {
    const from = newAddress();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, count) =>
        token(from, {
          grant_type: 'password_reset',
          reset_token: `no-${count}`,
          password: 'violet lamp drinks tea',
        }),
      ),
    );
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(10);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(40);
  });

  test('may send 150 invalid refresh tokens in five minutes', async () => {
    const from = newAddress();
    const responses = await Promise.all(Array.from({ length: 150 }, () => renew(from, 'A'.repeat(70))));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await renew(from, 'A'.repeat(70))).status).toBe(429);
  });
});

describe('one session', () => {
  test('may refresh 30 times in five minutes; repeats within the grace period do not count', async () => {
    const { email } = await service.factory.user();
    let { refresh_token } = (await signIn({ url, email, from: newAddress() })).body;
    for (let count = 0; count < 30; count += 1) {
      const responses = await Promise.all([1, 2, 3].map(() => renew(newAddress(), refresh_token)));
      const next = responses.map(({ body }) => body.refresh_token);
      expect(new Set(next).size).toBe(1);
      refresh_token = next[0];
    }
    const refused = await renew(newAddress(), refresh_token);
    expect(refused.status).toBe(429);
    expect(retryAfter(refused)).toBeLessThanOrEqual(5 * MINUTE);
    await passTime(service, 5 * MINUTE + 1);
    expect((await renew(newAddress(), refresh_token)).status).toBe(200);
  });
});
