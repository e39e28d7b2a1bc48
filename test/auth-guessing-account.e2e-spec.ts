import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  accepted,
  behindProxy,
  guess,
  newAddress,
  passTime,
  retryAfter,
  signIn,
} from './support/guessing.js';
import { type Service, startService } from './support/service.js';

const MINUTE = 60;
const HOURS_12 = 12 * 60 * MINUTE;

let service: Service;
let url: string;

beforeAll(async () => {
  service = await startService(behindProxy);
  ({ url } = service);
});
afterAll(() => service.close());

/** Each from an address of its own. */
const guessFromAnywhere = (email: string) => guess({ url, email, from: newAddress() });

async function fail(times: number, email: string): Promise<void> {
  for (let count = 0; count < times; count += 1) expect((await guessFromAnywhere(email)).status).toBe(401);
}

describe('failed sign-ins to one account from any address', () => {
  test('AUTH-14 from the twentieth on, each one adds a minute to the wait, up to fifteen', async () => {
    const { email } = await service.factory.user();
    await fail(20, email);
    for (const minutes of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 15]) {
      const refused = await signIn({ url, email, from: newAddress() });
      expect(refused.status).toBe(429);
      expect(retryAfter(refused)).toBeLessThanOrEqual(minutes * MINUTE);
      expect(retryAfter(refused)).toBeGreaterThan(minutes * MINUTE - 10);
      await passTime(service, retryAfter(refused));
      expect((await guessFromAnywhere(email)).status).toBe(401);
    }
  });

  test('AUTH-14 an attacker who never stops gets at most a hundred guesses in twelve hours', async () => {
    const { email } = await service.factory.user();
    let evaluated = 0;
    for (let seconds = 0; seconds < HOURS_12;) {
      const response = await guessFromAnywhere(email);
      if (response.status === 401) evaluated += 1;
      const wait = response.status === 429 ? retryAfter(response) : 0;
      if (wait > 0) await passTime(service, wait);
      seconds += wait;
    }
    expect(evaluated).toBeGreaterThan(50);
    expect(evaluated).toBeLessThanOrEqual(100);
  });

  test('AUTH-14 RACE-05 of fifty concurrent guesses from fifty addresses twenty are evaluated', async () => {
    const { email } = await service.factory.user();
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => accepted(() => guessFromAnywhere(email))),
    );
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(20);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(30);
    const again = await Promise.all(
      Array.from({ length: 20 }, () => accepted(() => guessFromAnywhere(email))),
    );
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([429]));
  });

  test('AUTH-17 RACE-05 after the wait one of many concurrent guesses is evaluated', async () => {
    const { email } = await service.factory.user();
    await fail(20, email);
    await passTime(service, MINUTE + 1);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => accepted(() => guessFromAnywhere(email))),
    );
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(1);
  });

  test('AUTH-18 are reset by a successful sign-in', async () => {
    const { email } = await service.factory.user();
    await fail(19, email);
    expect((await signIn({ url, email, from: newAddress() })).status).toBe(200);
    await fail(20, email);
  });

  test('AUTH-14 expire after twelve hours', async () => {
    const { email } = await service.factory.user();
    await fail(19, email);
    await passTime(service, HOURS_12 + 1);
    await fail(20, email);
  });

  test('AUTH-19 sessions of a locked account continue', async () => {
    const ada = await service.factory.user();
    const { body } = await signIn({ url, email: ada.email, from: newAddress() });
    await fail(20, ada.email);
    const headers = { authorization: `Bearer ${String(body.access_token)}` };
    expect((await service.api.get('/api/users/me', headers)).status).toBe(200);
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
    expect((await service.api.post('/api/auth/token', refresh)).status).toBe(200);
  });
});
