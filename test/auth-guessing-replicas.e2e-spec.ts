import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from './support/client.js';
import { accepted, behindProxy, guess, newAddress, passTime, signIn } from './support/guessing.js';
import { type ReplicaProcesses, startReplicaProcesses } from './support/replicas.js';
import { type Service, startService } from './support/service.js';

let service: Service;
let replicas: ReplicaProcesses;

beforeAll(async () => {
  service = await startService(behindProxy);
  replicas = await startReplicaProcesses(service, 3);
});
afterAll(async () => {
  await replicas.close();
  await service.close();
});

const urlOf = (count: number): string => replicas.all[count % replicas.all.length]?.url ?? '';

describe('three replicas', () => {
  test('AUTH-21 RACE-05 share the counter: of sixty concurrent guesses five are evaluated', async () => {
    const { email } = await service.factory.user();
    const from = newAddress();
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, count) => accepted(() => guess({ url: urlOf(count), email, from }))),
    );
    expect(responses.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(5);
    expect(responses.filter(({ status }) => ![401, 429].includes(status))).toEqual([]);
    for (const { url } of replicas.all) expect((await signIn({ url, email, from })).status).toBe(429);
  });

  test('AUTH-21 AUTH-14 of sixty concurrent guesses from sixty addresses twenty are evaluated', async () => {
    const { email } = await service.factory.user();
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, count) => {
        const from = newAddress();
        return accepted(() => guess({ url: urlOf(count), email, from }));
      }),
    );
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(20);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(40);
  });

  test('AUTH-18 AUTH-21 a successful sign-in at one resets the counters of the others', async () => {
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

  test('SES-03 a hundred concurrent refreshes of one token all succeed with the same successor', async () => {
    const { email } = await service.factory.user();
    const { body } = await signIn({ url: urlOf(0), email, from: newAddress() });
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, count) =>
        accepted(() => new Client(urlOf(count)).post<{ refresh_token: string }>('/api/auth/token', refresh)),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ body }) => body.refresh_token)).size).toBe(1);
  });
});
