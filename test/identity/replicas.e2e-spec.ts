import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { User } from '../../src/users/user.entity.js';
import { Client } from '../support/client.js';
import { password } from '../support/factory.js';
import { type ReplicaProcesses, startReplicaProcesses } from '../support/replicas.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

interface Tokens {
  access_token: string;
  refresh_token: string;
}

let service: Service;
let replicas: ReplicaProcesses;
let ada: User;

beforeAll(async () => {
  service = await startService();
  replicas = await startReplicaProcesses(service, 3);
});
afterAll(async () => {
  await replicas.close();
  await service.close();
});
beforeEach(async () => {
  ada = await service.factory.user();
});

const signIn = async (): Promise<Tokens> =>
  (await replicas.all[0].api.post<Tokens>('/api/auth/token', { email: ada.email, password })).body;
const onEach = (token: string) =>
  Promise.all(
    replicas.all.map(({ url }) => new Client(url, token).get('/api/users/me').then(({ status }) => status)),
  );
const refreshAt = (index: number, refresh_token: string) =>
  replicas.all[index % 3]!.api.post<Tokens>('/api/auth/token', {
    grant_type: 'refresh_token',
    refresh_token,
  });

describe('three replicas', () => {
  test('SES-03: 100 concurrent refreshes of one token: one successor', async () => {
    const { refresh_token } = await signIn();
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, index) => refreshAt(index, refresh_token)),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ body }) => body.refresh_token)).size).toBe(1);
  });

  test('SES-09: a session that one replica ends is rejected by every replica', async () => {
    const { access_token } = await signIn();
    expect(await onEach(access_token)).toEqual([200, 200, 200]);
    await new Client(replicas.all[1]!.url, access_token).post('/api/auth/logout');
    await until(async () => (await onEach(access_token)).every((status) => status === 401));
  });

  test('SES-15: a role change is effective on every replica', async () => {
    const { access_token } = await signIn();
    const admin = await service.asAdmin();
    await admin.patch(`/api/users/${ada.id}`, { role: 'admin' });
    const statuses = await Promise.all(
      replicas.all.map(async ({ url }) => (await new Client(url, access_token).get('/api/users')).status),
    );
    expect(statuses).toEqual([200, 200, 200]);
  });

  test('RACE-10: a completed change is visible on every replica', async () => {
    const { token: admin = '' } = await service.asAdmin();
    const token = (await signIn()).access_token;
    const at = (index: number, bearer: string) => new Client(replicas.all[index % 3]!.url, bearer);
    for (let round = 0; round < 9; round += 1) {
      const sales = await service.factory.workspace();
      const member = `/api/workspaces/${sales.id}/members/${ada.id}`;
      const seen = () =>
        Promise.all(
          [0, 1, 2].map(async (index) => (await at(index, token).get(`/api/workspaces/${sales.id}`)).status),
        );
      expect(await seen()).toEqual([404, 404, 404]);
      expect((await at(round, admin).put(member, { role: 'viewer' })).status).toBe(200);
      expect(await seen()).toEqual([200, 200, 200]);
      const renamed = `Ada the ${round}th`;
      await at(round + 1, admin).patch(`/api/users/${ada.id}`, { name: renamed });
      const { body } = await at(round + 2, admin).get(`/api/users/${ada.id}`);
      expect(body).toMatchObject({ name: renamed });
      expect((await at(round + 1, admin).delete(member)).status).toBe(204);
      expect(await seen()).toEqual([404, 404, 404]);
    }
  });

  test('SES-09: a replica that was paused rejects an ended session within 5 s', async () => {
    const { access_token } = await signIn();
    const sleeper = replicas.all[2]!;
    expect((await new Client(sleeper.url, access_token).get('/api/users/me')).status).toBe(200);
    sleeper.process.kill('SIGSTOP');
    await new Client(replicas.all[0].url, access_token).post('/api/auth/logout');
    sleeper.process.kill('SIGCONT');
    const there = new Client(sleeper.url, access_token);
    await until(async () => (await there.get('/api/users/me')).status === 401);
  });
});
