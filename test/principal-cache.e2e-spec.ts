import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { SessionsService } from '../src/auth/sessions/sessions.service.js';
import { NotificationConnectionService } from '../src/core/database/notification-connection.service.js';
import { CacheInvalidationService } from '../src/core/database/cache-invalidation.service.js';
import type { User } from '../src/users/user.entity.js';
import { Client } from './support/client.js';
import { password } from './support/factory.js';
import { type TcpProxy, startTcpProxy } from './support/tcp-proxy.js';
import { type ReplicaProcess, startReplicaProcess } from './support/replicas.js';
import { type Service, startService } from './support/service.js';
import { until } from './support/until.js';

// Says itself when a cache is warm.
Client.warms = false;

let service: Service;
let replica: ReplicaProcess;
let proxy: TcpProxy;
let admin: Client;
let ada: User;
let here: Client;
let there: Client;

beforeAll(async () => {
  service = await startService();
  proxy = await startTcpProxy(service.databaseUrl);
  replica = await startReplicaProcess({ ...service.environment, DATABASE_DIRECT_URL: proxy.url });
  admin = await service.asAdmin();
  await until(() => service.app.get(CacheInvalidationService).isCurrent);
});
afterAll(async () => {
  await replica.close();
  await proxy.disconnect();
  await service.close();
});
beforeEach(async () => {
  ada = await service.factory.user();
  // At the replica: to it, a token of the clock that tests put forward would be from the future.
  const { body } = await replica.api.post<{ access_token: string }>('/api/auth/token', {
    email: ada.email,
    password,
  });
  here = new Client(service.url, body.access_token);
  there = new Client(replica.url, body.access_token);
});

const status = async (client: Client): Promise<number> => (await client.get('/api/workspaces')).status;
/** No session can be read from the database while this runs. */
async function withoutSessions<T>(work: () => Promise<T>): Promise<T> {
  await service.database.query('ALTER TABLE sessions RENAME TO hidden_sessions');
  try {
    return await work();
  } finally {
    await service.database.query('ALTER TABLE hidden_sessions RENAME TO sessions');
  }
}

describe('the principal cache', () => {
  test('serves a principal for 5 s, and reads the session again after that', async () => {
    await service.clock.frozen(() =>
      until(async () => {
        // The entry is not used while an invalidation of the sign-in arrives, or before the replica has polled again.
        expect(await status(here)).toBe(200);
        service.clock.advance(4);
        return (await withoutSessions(() => status(here))) === 200;
      }),
    );
    service.clock.advance(1);
    expect(await withoutSessions(() => status(here))).toBe(500);
  });

  test('does not store what was read before a concurrent change', async () => {
    const sessions = service.app.get(SessionsService);
    const current = sessions.current.bind(sessions);
    // A change that is committed between the read and the write to the cache.
    sessions.current = async (claims) => {
      sessions.current = current;
      const found = await current(claims);
      await admin.patch(`/api/users/${ada.id}`, { status: 'disabled' });
      return found;
    };
    expect(await status(here)).toBe(200);
    expect(await status(here)).toBe(401);
  });

  test('is used while the event loop is too busy to read the epochs in time', async () => {
    const isCached = async (): Promise<boolean> => (await withoutSessions(() => status(here))) === 200;
    await service.clock.frozen(async () => {
      await until(async () => (await status(here)) === 200 && (await isCached()));
      const connection = service.app.get(NotificationConnectionService);
      let isPolling = false;
      let proceed = (): void => undefined;
      jest.spyOn(connection, 'query').mockImplementation(() => {
        isPolling = true;
        return new Promise((resolve) => (proceed = () => resolve([])));
      });
      await until(() => isPolling);
      const end = performance.now() + 1200;
      while (performance.now() < end);
      expect(await isCached()).toBe(true);
      jest.restoreAllMocks();
      proceed();
    });
  });

  test('is not used by a replica that may have missed changes', async () => {
    const isCached = async (): Promise<boolean> => {
      expect(await status(there)).toBe(200);
      return (await withoutSessions(() => status(there))) === 200;
    };
    await until(isCached);
    await proxy.disconnect();
    await until(async () => !(await isCached()));
    expect(await isCached()).toBe(false);
    await proxy.reconnect();
    await until(isCached);
  });
});
