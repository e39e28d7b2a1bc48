import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  CacheInvalidationService,
  type Keys,
  type Topic,
} from '../src/core/database/cache-invalidation.service.js';
import { DatabaseService } from '../src/core/database/database.service.js';
import type { User } from '../src/users/user.entity.js';
import type { Workspace } from '../src/workspaces/workspace.entity.js';
import type { Client } from './support/client.js';
import { password } from './support/factory.js';
import { type TcpProxy, startTcpProxy } from './support/tcp-proxy.js';
import { type InProcessReplica, startInProcessReplica } from './support/replicas.js';
import { type Service, startService } from './support/service.js';
import { until } from './support/until.js';

/** What a replica was told, in order. */
const listenTo = ({ app }: Pick<InProcessReplica, 'app'>): Keys[] => {
  const told: Keys[] = [];
  app.get(CacheInvalidationService).on('rights', (keys) => void told.push(keys));
  return told;
};
const names = (told: readonly Keys[], id: string) =>
  told.some((keys) => keys === undefined || keys.includes(id));
const epochOf = async ({ database }: Service, topic: Topic): Promise<number> => {
  const [row] = await database.query<{ epoch: string }[]>(
    'SELECT epoch FROM change_epochs WHERE topic = $1',
    [topic],
  );
  return Number(row?.epoch ?? 0);
};

describe('a change of rights', () => {
  let service: Service;
  let replica: InProcessReplica;
  let here: Keys[];
  let there: Keys[];
  let admin: Client;
  let ada: User;
  let sales: Workspace;

  beforeAll(async () => {
    service = await startService();
    replica = await startInProcessReplica(service);
    admin = await service.asAdmin();
    sales = await service.factory.workspace({ name: 'Sales' });
    [here, there] = [listenTo(service), listenTo(replica)];
    await until(() => replica.app.get(CacheInvalidationService).isCurrent);
  });
  afterAll(async () => {
    await replica.close();
    await service.close();
  });
  beforeEach(async () => {
    ada = await service.factory.user();
    here.length = 0;
  });

  const cases: [string, () => Promise<unknown>][] = [
    ['a role', () => admin.patch(`/api/users/${ada.id}`, { role: 'admin' })],
    ['attributes', () => admin.patch(`/api/users/${ada.id}`, { attributes: { region: 'north' } })],
    ['disabling', () => admin.patch(`/api/users/${ada.id}`, { status: 'disabled' })],
    ['a grant', () => admin.put(`/api/workspaces/${sales.id}/members/${ada.id}`, { role: 'viewer' })],
    [
      'a removed grant',
      async () => {
        await service.factory.grant(ada, sales);
        return admin.delete(`/api/workspaces/${sales.id}/members/${ada.id}`);
      },
    ],
    ['signing out', async () => (await service.as(ada)).post('/api/auth/logout')],
    [
      'a new password, which ends the other sessions',
      async () => {
        const [client] = [await service.as(ada), await service.as(ada)];
        const changed = { current_password: password, new_password: `${password} and more` };
        return client.put('/api/users/me/password', changed);
      },
    ],
    ['a revocation', () => admin.post('/api/embed-grants/revoke', { user_id: ada.id })],
    [
      'erasure',
      async () => {
        await service.database.query(`UPDATE users SET status = 'disabled' WHERE id = $1`, [ada.id]);
        return admin.post(`/api/users/${ada.id}/erase`);
      },
    ],
  ];

  test.each(cases)(
    'is delivered here before the response, and to the other replica: %s',
    async (_, change) => {
      const before = await epochOf(service, 'rights');
      const { status } = (await change()) as { status: number };
      expect(status).toBeLessThan(300);
      expect(names(here, ada.id)).toBe(true);
      await until(() => names(there, ada.id));
      expect(await epochOf(service, 'rights')).toBe(before + 1);
    },
  );

  test('is delivered for the affected user only', async () => {
    const other = await service.factory.user();
    await admin.patch(`/api/users/${ada.id}`, { role: 'admin' });
    // A poll may also find the epoch, and then invalidates every key.
    expect(here.flat()).toContain(ada.id);
    expect(here.flat()).not.toContain(other.id);
  });

  test('is delivered when an invitation with grants is accepted', async () => {
    const workspaces = [{ workspace_id: sales.id, role: 'viewer' }];
    await admin.post('/api/users/invite', { email: 'grace@example.com', workspaces });
    const token = await service.mailbox.secretFor('grace@example.com');
    const accepted = { grant_type: 'invitation', invitation_token: token, password };
    expect((await service.api.post('/api/auth/token', accepted)).status).toBe(200);
    const { body } = await admin.get<{ items: { id: string }[] }>('/api/users?q=grace@example.com');
    expect(names(here, JSON.stringify(body).match(/"id":"([^"]+)"/)?.[1] ?? '')).toBe(true);
  });

  test('is delivered once per transaction', async () => {
    const before = await epochOf(service, 'rights');
    await service.app.get(DatabaseService).joinTransactions(async (tx) => {
      for (let n = 0; n < 5; n += 1)
        service.app.get(CacheInvalidationService).publish(tx, 'rights', `${ada.id}-${n}`);
      await service.app.get(DatabaseService).transaction(async (inner) => {
        service.app.get(CacheInvalidationService).publish(inner, 'rights', ada.id);
        await inner.query('SELECT 1');
      });
    });
    expect(await epochOf(service, 'rights')).toBe(before + 1);
    expect(here.find((ids) => ids?.includes(ada.id))).toHaveLength(6);
  });

  test('is not delivered when the transaction is rolled back', async () => {
    const before = await epochOf(service, 'rights');
    const failing = service.app.get(DatabaseService).transaction((tx) => {
      service.app.get(CacheInvalidationService).publish(tx, 'rights', ada.id);
      return Promise.reject(new Error('no'));
    });
    await expect(failing).rejects.toThrow('no');
    expect([here.flat().includes(ada.id), await epochOf(service, 'rights')]).toEqual([false, before]);
  });

  test('a topic of a replica of another version is ignored, by notification and by epoch', async () => {
    // With this change those of the tests before have arrived.
    await admin.patch(`/api/users/${ada.id}`, { attributes: { region: 'west' } });
    await until(() => names(here, ada.id) && names(there, ada.id));
    here.length = there.length = 0;
    const foreign = { topic: 'catalogue', epoch: 1, keys: null };
    await service.database.query(`INSERT INTO change_epochs (topic, epoch) VALUES ('catalogue', 1)`);
    await service.database.query(`SELECT pg_notify('vitrine_changes', $1)`, [JSON.stringify(foreign)]);
    await admin.patch(`/api/users/${ada.id}`, { role: 'admin' });
    await until(() => names(there, ada.id));
    const isCurrent = (): boolean => replica.app.get(CacheInvalidationService).isCurrent;
    // Longer than a poll of the epochs.
    await sleep(1000);
    // A poll may find an epoch before its notification, and then invalidates every key.
    const others = [...here, ...there].flat().filter((key) => key !== undefined && key !== ada.id);
    expect(others).toEqual([]);
    await until(isCurrent);
  });

  test.each(['', 'x', 'null', '{"topic":"rights","epoch":"x"}'])(
    'is delivered after a notification of another client: %j',
    async (payload) => {
      await service.database.query(`SELECT pg_notify('vitrine_changes', $1)`, [payload]);
      here.length = there.length = 0;
      await admin.patch(`/api/users/${ada.id}`, { attributes: { region: 'south' } });
      expect(names(here, ada.id)).toBe(true);
      await until(() => names(there, ada.id));
    },
  );

  test('is delivered after a forged epoch, which a poll of the epochs corrects', async () => {
    const forged = { topic: 'rights', epoch: 1_000_000_000, keys: 7 };
    there.length = 0;
    await service.database.query(`SELECT pg_notify('vitrine_changes', $1)`, [JSON.stringify(forged)]);
    await until(() => there.includes(undefined));
    there.length = 0;
    await admin.patch(`/api/users/${ada.id}`, { attributes: { region: 'west' } });
    await until(() => names(there, ada.id));
  });

  test('whose notification is lost is found by its epoch within about a second', async () => {
    there.length = 0;
    await service.database.query(`UPDATE change_epochs SET epoch = epoch + 1 WHERE topic = 'rights'`);
    await until(() => there.includes(undefined));
  });
});

describe('the notification connection', () => {
  let service: Service;
  let proxy: TcpProxy;
  let told: Keys[];

  const startOn = async (rewrite?: (said: Buffer) => Buffer): Promise<void> => {
    service = await startService();
    proxy = await startTcpProxy(service.databaseUrl, rewrite);
  };
  const through = async (): Promise<InProcessReplica> => {
    const environment = { ...service.environment, DATABASE_DIRECT_URL: proxy.url };
    const replica = await startInProcessReplica({ ...service, environment });
    told = listenTo(replica);
    return replica;
  };
  const change = () =>
    service.app.get(DatabaseService).transaction(async (tx) => {
      service.app.get(CacheInvalidationService).publish(tx, 'rights', 'somebody');
      await tx.query('SELECT 1');
    });
  const end = async (replica: InProcessReplica): Promise<void> => {
    await replica.close();
    await proxy.disconnect();
    await service.close();
  };

  test('when lost, the state is not current, and missed changes are delivered after reconnecting', async () => {
    await startOn();
    const replica = await through();
    await until(() => replica.app.get(CacheInvalidationService).isCurrent);
    await proxy.disconnect();
    await until(() => !replica.app.get(CacheInvalidationService).isCurrent);
    told.length = 0;
    await change();
    expect(told).toEqual([]);
    await proxy.reconnect();
    await until(() => told.length > 0 && replica.app.get(CacheInvalidationService).isCurrent);
    expect(told).toEqual([undefined]);
    await end(replica);
  });

  test('to a database without LISTEN: changes are delivered by polling, and jobs run', async () => {
    // The very same length: the statement is one that this database does not know.
    await startOn((said) =>
      Buffer.from(said.toString('latin1').replaceAll('LISTEN "', 'LISTEX "'), 'latin1'),
    );
    const replica = await through();
    await until(() => replica.app.get(CacheInvalidationService).isCurrent);
    await change();
    await until(() => told.length > 0);
    expect(told).toEqual([undefined]);
    const admin = replica.as(await service.asAdmin());
    await admin.post('/api/users/invite', { email: 'joan@example.com' });
    await service.mailbox.secretFor('joan@example.com');
    await end(replica);
  });
});
