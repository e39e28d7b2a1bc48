import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { freePort } from '../local/free-port.js';
import { accepted, behindProxy, guess, guessTimes, newAddress, signIn } from './support/guessing.js';
import { startUnresponsiveRedis } from './support/unresponsive-redis.js';
import { type Service, startService } from './support/service.js';
import { until } from './support/until.js';

const unresponsive = await startUnresponsiveRedis();
const absent = `redis://127.0.0.1:${await freePort()}`;
const given = process.env.REDIS_URL === undefined ? [] : [['that works', process.env.REDIS_URL]];

afterAll(() => unresponsive.close());

describe.each([['that is unreachable', absent], ['that does not respond', unresponsive.url], ...given])(
  'AUTH-21 with a Redis %s',
  (_name, redisUrl) => {
    let service: Service;

    beforeAll(async () => {
      service = await startService({ ...behindProxy, REDIS_URL: redisUrl });
    });
    afterAll(() => service.close());

    const somebody = async () => ({
      url: service.url,
      email: (await service.factory.user()).email,
      from: newAddress(),
    });

    test('guesses are limited, and a successful sign-in resets the counter', async () => {
      const ada = await somebody();
      expect(await guessTimes(4, ada)).toEqual([401, 401, 401, 401]);
      expect((await signIn(ada)).status).toBe(200);
      expect(await guessTimes(6, ada)).toEqual([401, 401, 401, 401, 401, 429]);
      const refused = await signIn(ada);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
    });

    test('RACE-05 of fifty concurrent guesses five are evaluated', async () => {
      const ada = await somebody();
      const responses = await Promise.all(Array.from({ length: 50 }, () => accepted(() => guess(ada))));
      expect(responses.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(5);
      expect(responses.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(45);
    });

    test('AUTH-14 an account is locked after twenty failures, and the lock is stored in PostgreSQL', async () => {
      const { email } = await somebody();
      const { url } = service;
      for (let count = 0; count < 20; count += 1) await guess({ url, email, from: newAddress() });
      expect((await signIn({ url, email, from: newAddress() })).status).toBe(429);
      const rows = await service.database.query<object[]>(
        `SELECT FROM rate_limits WHERE key LIKE 'sign-in-closed:%'`,
      );
      expect(rows).toHaveLength(1);
    });
  },
);

test('AUTH-21 the unresponsive Redis received the commands', () => {
  expect(unresponsive.commands.some((command) => command.includes('sign-in-pair'))).toBe(true);
});

test('an outage of Redis is one warning with its cause, and its end one line', async () => {
  const redis = await startUnresponsiveRedis();
  redis.refusal = '-WRONGPASS invalid username-password pair or user is disabled.';
  const warn = jest.spyOn(Logger.prototype, 'warn');
  const log = jest.spyOn(Logger.prototype, 'log');
  const linesOf = (spy: typeof warn) =>
    spy.mock.calls
      .map(([line]) => line as { msg?: string; err?: Error })
      .filter(({ msg }) => msg?.startsWith('redis'));
  const service = await startService({ REDIS_URL: redis.url });
  try {
    await until(() => redis.commands.length >= 4);
    expect(linesOf(warn)).toMatchObject([{ err: { message: expect.stringContaining('WRONGPASS') } }]);
    expect(linesOf(log)).toEqual([]);
    redis.refusal = undefined;
    await until(() => linesOf(log).length > 0);
    expect(linesOf(log)).toEqual([{ msg: 'redis has recovered' }]);
    expect(linesOf(warn)).toHaveLength(1);
    // It accepts connections and responds to no command.
    await until(async () => {
      await guess({ url: service.url, email: 'nobody@example.com', from: newAddress() });
      return linesOf(warn).length === 2;
    });
  } finally {
    await service.close();
    redis.close();
    jest.restoreAllMocks();
  }
});
