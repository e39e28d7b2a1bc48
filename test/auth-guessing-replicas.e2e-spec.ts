import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from './support/client.js';
import { behindProxy, guess, newAddress, passTime, signIn } from './support/guessing.js';
import { type Replicas, startReplicas } from './support/replicas.js';
import { type Service, startService } from './support/service.js';

let service: Service;
let replicas: Replicas;

beforeAll(async () => {
  service = await startService(behindProxy);
  replicas = await startReplicas(service, 3);
}, 60_000);
afterAll(async () => {
  await replicas.close();
  await service.close();
});

const urlOf = (count: number): string => replicas.all[count % replicas.all.length]?.url ?? '';

describe('three replicas', () => {
  test('AUTH-21 RACE-05 count together: of sixty guesses at once five are looked at', async () => {
    const { email } = await service.factory.user();
    const from = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, count) => guess({ url: urlOf(count), email, from })),
    );
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(5);
    expect(answers.filter(({ status }) => ![401, 429].includes(status))).toEqual([]);
    for (const { url } of replicas.all) expect((await signIn({ url, email, from })).status).toBe(429);
  });

  test('AUTH-21 AUTH-14 from sixty places at once: twenty are looked at', async () => {
    const { email } = await service.factory.user();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, count) => guess({ url: urlOf(count), email, from: newAddress() })),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40);
  });

  test('AUTH-18 AUTH-21 a success at one clears what the others counted', async () => {
    const { email } = await service.factory.user();
    const from = newAddress();
    for (let count = 0; count < 4; count += 1) await guess({ url: urlOf(count), email, from });
    expect((await signIn({ url: urlOf(1), email, from })).status).toBe(200);
    for (let count = 0; count < 5; count += 1) {
      expect((await guess({ url: urlOf(count), email, from })).status).toBe(401);
    }
    expect((await guess({ url: urlOf(0), email, from })).status).toBe(429);
    await passTime(service, 15 * 60 + 1);
    expect((await signIn({ url: urlOf(2), email, from })).status).toBe(200);
  });

  test('SES-03 a hundred refreshes of one token over all of them: one successor, none refused', async () => {
    const { email } = await service.factory.user();
    const { body } = await signIn({ url: urlOf(0), email, from: newAddress() });
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, count) =>
        new Client(urlOf(count)).post<{ refresh_token: string }>('/api/auth/token', refresh),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
  });
});
