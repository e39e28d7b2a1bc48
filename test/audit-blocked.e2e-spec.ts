import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from './support/client.js';
import { type Service, startService } from './support/service.js';

let service: Service;
let admin: Client;

beforeAll(async () => {
  service = await startService();
  admin = await service.asAdmin();
});
afterAll(() => service.close());

/** How often the pair of an account and an address may guess wrongly. */
const GUESSES = 5;

test.each([
  ['/api/auth/token', '/api/auth/token'],
  ['/API/auth/Token', '/api/auth/token'],
  ['/api/auth/token/', '/api/auth/token'],
  ['/login/session', '/login/session'],
  ['/Login/SESSION/', '/login/session'],
])('a blocked sign-in through %s is recorded under its route (L1)', async (path, route) => {
  const { email } = await service.factory.user();
  const id = `blocked${path.replaceAll('/', '-')}`;
  const signIn = () =>
    service.api.post(
      path,
      { email, password: 'not the right one' },
      { origin: 'https://vitrine.test', 'x-vitrine-csrf': '1', 'x-request-id': id },
    );
  for (let guess = 0; guess < GUESSES; guess += 1) expect((await signIn()).status).toBe(401);
  service.clock.advance(61);
  expect((await signIn()).status).toBe(429);
  const query = `action=sign_in_blocked&request_id=${id}`;
  const { body } = await admin.get<{ audit_events: object[] }>(`/api/audit-events?${query}`);
  expect(body.audit_events).toMatchObject([{ outcome: 'denied', details: { route, code: 'rate_limited' } }]);
});

test.each(['/api/auth/token', '/API/auth/TOKEN', '/api/auth/token/', '/Login/Session'])(
  'a sign-in body through %s has at most 16 kB (L1)',
  async (path) => {
    const body = { email: 'x'.repeat(17_000), password: 'x' };
    expect(await service.api.post(path, body)).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' },
    });
  },
);

/** Twenty requests a minute of one address. */
const startLimited = () =>
  startService({ RATE_LIMIT_API_PER_MINUTE: '20', RATE_LIMIT_ADDRESS_PER_MINUTE: '20' });

test.each([
  ['/api/AUTH/token/', '/api/auth/token'],
  ['/login/invitation/preview', '/login/invitation/preview'],
  ['/Login/password-reset/preview/', '/login/password-reset/preview'],
])('the rate limit of an address records blocked sign-ins through %s (L1)', async (path, route) => {
  const limited = await startLimited();
  try {
    for (let count = 0; count < 20; count += 1) await limited.api.post(path, {});
    expect((await limited.api.post(path, {})).status).toBe(429);
    const [row] = await limited.database.query<{ details: object }[]>(
      `SELECT details FROM audit_events WHERE action = 'sign_in_blocked'`,
    );
    expect(row?.details).toMatchObject({ route });
  } finally {
    await limited.close();
  }
});

test('the rate limit of an address applies to a path that cannot be decoded', async () => {
  const limited = await startLimited();
  try {
    const path = '/api/reports/%ff';
    for (let count = 0; count < 20; count += 1)
      expect(await limited.api.get(path)).toMatchObject({ status: 400 });
    // The service responds to later requests, too.
    for (let count = 0; count < 3; count += 1)
      expect(await limited.api.get(path)).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  } finally {
    await limited.close();
  }
});
