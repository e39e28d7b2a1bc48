import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { dummyHash, isWithinCostLimit } from '../src/users/argon2-hash.js';
import { PasswordsService } from '../src/users/passwords.service.js';
import { comparable } from './support/client.js';
import { password } from './support/factory.js';
import { type Service, startService } from './support/service.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => service.close());

interface Attempt {
  email: string;
  password: string;
}

async function invitedWithoutMail(email: string): Promise<void> {
  const { id } = await service.factory.admin();
  await service.database.query(
    `INSERT INTO invitations (id, email, role, secret_salt, secret_hash, invited_by, delivery, mailed_at, created_at,
       expires_at)
     VALUES ($1, $2, 'member', $3, $3, $4, 'not_configured', now(), now(), now() + interval '1 day')`,
    [randomUUID(), email, randomBytes(32), id],
  );
}

/** A new somebody each time: guesses at one account are limited. */
const reasons: Record<string, () => Promise<Attempt>> = {
  'a wrong password': async () => ({
    email: (await service.factory.user()).email,
    password: 'not the right one',
  }),
  'an unknown address': () =>
    Promise.resolve({ email: `nobody-${Math.random()}@example.com`, password: 'not the right one' }),
  'a disabled account': async () => ({
    email: (await service.factory.user({ status: 'disabled' })).email,
    password,
  }),
  'an account without a password': async () => ({
    email: (await service.factory.user({ passwordHash: null })).email,
    password,
  }),
  'a pending invitation': async () => {
    const email = `invited-${Math.random()}@example.com`;
    await invitedWithoutMail(email);
    return { email, password };
  },
};

const signIn = (attempt: Attempt) => service.api.post('/api/auth/token', attempt);

describe('a sign-in that fails', () => {
  test('AUTH-01 returns the same response for every reason', async () => {
    const responses = [];
    for (const prepare of Object.values(reasons)) responses.push(await signIn(await prepare()));
    const [first] = responses;
    expect(first).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    for (const response of responses) {
      expect(comparable(response)).toEqual(comparable(first as typeof response));
      expect([...response.headers.keys()]).toEqual([...(first?.headers.keys() ?? [])]);
    }
  });

  test('AUTH-02 verifies exactly one hash for every reason', async () => {
    for (const prepare of Object.values(reasons)) {
      const attempt = await prepare();
      const verify = jest.spyOn(service.app.get(PasswordsService), 'verify');
      await signIn(attempt);
      expect(verify).toHaveBeenCalledTimes(1);
      verify.mockRestore();
    }
  });

  // A hash takes most of the time of such a request.
  test('AUTH-02 verifies a hash of the same cost with and without an account', async () => {
    const costOf = (hash: string): string => hash.split('$', 4).join('$');
    const stored = await service.app.get(PasswordsService).hashUnchecked(password);
    expect(costOf(dummyHash)).toBe(costOf(stored));
    expect(isWithinCostLimit(dummyHash)).toBe(true);
  });
});
