import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SignInLimitsService } from '../src/platform/rate-limit/sign-in-limits.service.js';
import {
  accepted,
  behindProxy,
  guess,
  guessTimes,
  newAddress,
  passTime,
  retryAfter,
  signIn,
} from './support/guessing.js';
import { type Service, startService } from './support/service.js';

const MINUTE = 60;

let service: Service;
let url: string;

beforeAll(async () => {
  service = await startService(behindProxy);
  ({ url } = service);
});
afterAll(() => service.close());

const somebody = async () => ({ url, email: (await service.factory.user()).email, from: newAddress() });

describe('five failed sign-ins to one email address from one IP address', () => {
  test('AUTH-13 lock the pair for exactly 15 minutes, even for the right password', async () => {
    const ada = await somebody();
    expect(await guessTimes(5, ada)).toEqual([401, 401, 401, 401, 401]);
    const refused = await signIn(ada);
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(retryAfter(refused)).toBeGreaterThan(15 * MINUTE - 10);
    expect(retryAfter(refused)).toBeLessThanOrEqual(15 * MINUTE);
    await passTime(service, retryAfter(refused) - 5);
    expect((await signIn(ada)).status).toBe(429);
    await passTime(service, 6);
    expect((await signIn(ada)).status).toBe(200);
  });

  test('AUTH-13 lock neither the account from other addresses nor other accounts from this address', async () => {
    const ada = await somebody();
    const grace = await somebody();
    await guessTimes(6, ada);
    expect((await signIn({ ...ada, from: newAddress() })).status).toBe(200);
    expect((await signIn({ ...grace, from: ada.from })).status).toBe(200);
  });

  test('AUTH-13 are limited in the same way for an address without an account', async () => {
    const nobody = { url, email: 'nobody@example.com', from: newAddress() };
    expect(await guessTimes(6, nobody)).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('AUTH-16 are counted together in any spelling of the email address', async () => {
    const email = 'grete@example.com';
    await service.factory.user({ email });
    const from = newAddress();
    const variants = [
      'Grete@example.com',
      'GRETE@EXAMPLE.COM',
      ' grete@example.com',
      'ｇrete@example.com',
      email,
    ];
    for (const variant of variants) expect((await guess({ url, email: variant, from })).status).toBe(401);
    for (const variant of variants) expect((await guess({ url, email: variant, from })).status).toBe(429);
  });

  test('AUTH-16 are counted together within an IPv6 subnet, and for IPv4 written as IPv6', async () => {
    const ada = await somebody();
    for (let host = 1; host <= 5; host += 1) await guess({ ...ada, from: `2001:db8:1:2::${host}` });
    expect((await signIn({ ...ada, from: '2001:db8:1:2:ffff::9' })).status).toBe(429);
    expect((await signIn({ ...ada, from: '2001:db8:1:3::1' })).status).toBe(200);
    const grace = await somebody();
    await guessTimes(5, grace);
    expect((await signIn({ ...grace, from: `::ffff:${grace.from}` })).status).toBe(429);
  });

  test('AUTH-17 attempts during the lock neither count nor extend it', async () => {
    const ada = await somebody();
    await guessTimes(5, ada);
    await passTime(service, 10 * MINUTE);
    const refused = await guessTimes(60, ada);
    expect(new Set(refused)).toEqual(new Set([429]));
    expect(retryAfter(await guess(ada))).toBeLessThanOrEqual(5 * MINUTE);
    await passTime(service, 5 * MINUTE + 1);
    expect((await signIn({ ...ada, from: newAddress() })).status).toBe(200);
    expect((await signIn(ada)).status).toBe(200);
  });

  test('AUTH-18 are reset by a successful sign-in', async () => {
    const ada = await somebody();
    await guessTimes(4, ada);
    expect((await signIn(ada)).status).toBe(200);
    expect(await guessTimes(5, ada)).toEqual([401, 401, 401, 401, 401]);
  });

  test('expire after 15 minutes', async () => {
    const ada = await somebody();
    await guessTimes(4, ada);
    await passTime(service, 15 * MINUTE + 1);
    expect(await guessTimes(4, ada)).toEqual([401, 401, 401, 401]);
  });

  test('RACE-05 of fifty concurrent guesses five are evaluated', async () => {
    const ada = await somebody();
    const responses = await Promise.all(Array.from({ length: 50 }, () => accepted(() => guess(ada))));
    const looked = responses.filter(({ status }) => status === 401);
    expect(looked.length).toBeLessThanOrEqual(5);
    expect(responses.filter(({ status }) => status === 429).length).toBe(50 - looked.length);
    const [row] = await service.database.query<{ count: number }[]>(
      `SELECT count(*)::int FROM audit_events WHERE action = 'sign_in_failed' AND ip = $1`,
      [ada.from],
    );
    expect(row?.count).toBe(looked.length);
  });

  test('OBS-01 the failure that causes the lock is recorded with the duration of the lock', async () => {
    const ada = await somebody();
    await guessTimes(5, ada);
    const rows = await service.database.query<{ details: object }[]>(
      `SELECT details FROM audit_events WHERE action = 'sign_in_failed' AND ip = $1 ORDER BY at, id`,
      [ada.from],
    );
    expect(rows.map(({ details }) => details)).toEqual([{}, {}, {}, {}, { locked_seconds: 900 }]);
  });

  test('a verification that fails with an error does not count as a guess', async () => {
    const { email } = await service.factory.user();
    const limits = service.app.get(SignInLimitsService);
    const busy = () => Promise.reject(new Error('busy'));
    for (let count = 0; count < 8; count += 1) {
      await expect(limits.evaluate(email, undefined, busy)).rejects.toThrow('busy');
    }
  });

  test('AUTH-20 X-Forwarded-For is used from the configured proxy only', async () => {
    const direct = await startService();
    try {
      const { email } = await direct.factory.user();
      const forged = () => ({ url: direct.url, email, from: newAddress() });
      for (let count = 0; count < 5; count += 1) expect((await guess(forged())).status).toBe(401);
      expect((await signIn(forged())).status).toBe(429);
    } finally {
      await direct.close();
    }
  });
});
