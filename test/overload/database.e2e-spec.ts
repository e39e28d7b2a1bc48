import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Client } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { type TcpProxy, startTcpProxy } from '../support/tcp-proxy.js';
import { startReplicaProcess } from '../support/replicas.js';
import { type Service, startService } from '../support/service.js';
import { lockTable, type TableLock } from '../support/table-lock.js';
import { until } from '../support/until.js';

// Counts requests.
Client.warms = false;

let lock: TableLock | undefined;

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
};
const lockWorkspaces = async ({ environment }: Service): Promise<TableLock> => {
  lock = await lockTable(environment.DATABASE_URL ?? '', 'workspaces');
  return lock;
};

afterEach(async () => {
  await lock?.release();
  lock = undefined;
});

describe('the pool', () => {
  test('LOAD-04: without a free connection for two seconds a request gets 503, and later ones succeed', async () => {
    const service = await startService({ DATABASE_POOL: '2', REQUEST_DEADLINE_SECONDS: '60' });
    try {
      const admin = await service.asAdmin();
      const { waiting } = await lockWorkspaces(service);
      const hanging = [admin.get('/api/workspaces'), admin.get('/api/workspaces')];
      await until(async () => (await waiting()) === 2);
      const took = await seconds(async () => {
        const response = await admin.get('/api/users');
        expect(response).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
        expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
      });
      // Two seconds for the connection; the rest is for a machine that has other things to do.
      expect(took).toBeGreaterThan(1.5);
      expect(took).toBeLessThan(4);
      await lock?.release();
      lock = undefined;
      await Promise.all(hanging);
      expect((await admin.get('/api/users')).status).toBe(200);
    } finally {
      await service.close();
    }
  });
});

describe('the deadline of a request', () => {
  let service: Service;
  let admin: Client;

  beforeAll(async () => {
    service = await startService({ DATABASE_POOL: '2', REQUEST_DEADLINE_SECONDS: '1' });
    admin = await service.asAdmin();
  });
  afterAll(() => service.close());

  test('LOAD-08: the response is 504, and the query is cancelled', async () => {
    const { waiting } = await lockWorkspaces(service);
    const response = await admin.get('/api/workspaces');
    expect(response).toMatchObject({
      status: 504,
      body: { code: 'deadline_exceeded', instance: '/api/workspaces' },
    });
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    await until(async () => (await waiting()) === 0);
  });

  test('LOAD-08: a change is rolled back, and its connection remains usable', async () => {
    const before = await service.database.query<object[]>('SELECT id FROM invitations');
    lock = await lockTable(service.environment.DATABASE_URL ?? '', 'invitations');
    const invite = () => admin.post('/api/users/invite', { email: 'grace@example.com', workspaces: [] });
    for (let round = 0; round < 4; round += 1) {
      expect(await invite()).toMatchObject({ status: 504, body: { code: 'deadline_exceeded' } });
    }
    await until(async () => (await lock?.waiting()) === 0);
    await lock.release();
    lock = undefined;
    expect(await service.database.query<object[]>('SELECT id FROM invitations')).toEqual(before);
    expect((await invite()).status).toBe(201);
  });

  test('LOAD-08: many concurrent requests on few connections all end, without leftovers', async () => {
    const { waiting } = await lockWorkspaces(service);
    const responses = await Promise.all(Array.from({ length: 20 }, () => admin.get('/api/workspaces')));
    for (const { status } of responses) expect([503, 504]).toContain(status);
    await until(async () => (await waiting()) === 0);
    await lock?.release();
    lock = undefined;
    for (let count = 0; count < 10; count += 1) {
      expect((await admin.get('/api/workspaces')).status).toBe(200);
    }
  });
});

describe('a caller that disconnects', () => {
  let service: Service;
  let admin: Client;

  beforeAll(async () => {
    service = await startService({ REQUEST_DEADLINE_SECONDS: '60' });
    admin = await service.asAdmin();
  });
  afterAll(() => service.close());

  const abandon = async (method: string, path: string, waits: () => Promise<boolean>, body?: object) => {
    const leaving = new AbortController();
    const asked = fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
      signal: leaving.signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(() => undefined);
    await until(waits);
    leaving.abort();
    await asked;
  };

  test('LOAD-08: its read-only query is cancelled', async () => {
    const { waiting } = await lockWorkspaces(service);
    await abandon('GET', '/api/workspaces', async () => (await waiting()) === 1);
    await until(async () => (await waiting()) === 0);
  });

  test('LOAD-08: its pending change is completed', async () => {
    const { waiting } = (lock = await lockTable(service.environment.DATABASE_URL ?? '', 'invitations'));
    const body = { email: 'lin@example.com', workspaces: [] };
    await abandon('POST', '/api/users/invite', async () => (await waiting()) === 1, body);
    await lock.release();
    lock = undefined;
    await until(async () => {
      const found = await service.database.query<object[]>(`SELECT FROM invitations WHERE email = $1`, [
        body.email,
      ]);
      return found.length === 1;
    });
  });
});

describe('a database that stops responding', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let service: Service;

  beforeEach(async () => {
    database = await createDatabase();
    proxy = await startTcpProxy(database.url);
    service = await startService({
      DATABASE_URL: proxy.url,
      DATABASE_DIRECT_URL: database.url,
      DATABASE_POOL: '2',
      REQUEST_DEADLINE_SECONDS: '2',
    });
  });
  afterEach(async () => {
    await service.close();
    await proxy.disconnect();
    await database.drop();
  });

  test('LOAD-08: every request ends, and the unresponsive connections are discarded', async () => {
    const admin = await service.asAdmin();
    proxy.stall();
    const took = await seconds(async () => {
      const responses = await Promise.all(Array.from({ length: 10 }, () => admin.get('/api/workspaces')));
      for (const { status } of responses) expect([503, 504]).toContain(status);
    });
    expect(took).toBeLessThan(10);
    expect((await service.api.get('/readyz')).status).toBe(503);
    expect((await service.api.get('/livez')).status).toBe(200);
    proxy.resume();
    await until(async () => (await admin.get('/api/workspaces')).status === 200);
    await until(async () => (await service.api.get('/readyz')).status === 200);
  });
});

describe('a database whose network is cut silently', () => {
  test('LOAD-04: causes a 503 in time, also for a pending query, and is used again afterwards', async () => {
    const plain = await startService();
    const proxy = await startTcpProxy(plain.environment.DATABASE_URL ?? '');
    const replica = await startReplicaProcess({ ...plain.environment, DATABASE_URL: proxy.url });
    try {
      const { token } = await plain.asAdmin();
      const admin = new Client(replica.url, token);
      const paths = ['/api/users', '/api/datasets', '/api/invitations', '/api/syncs'];
      const ask = () => Promise.all(paths.map((path) => admin.get(path)));
      await ask();
      proxy.stall();
      const took = await seconds(async () => {
        for (const response of await ask()) {
          expect(response).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
        }
      });
      // One second of patience and one for the probe; the rest is for a machine that has other things to do.
      expect(took).toBeLessThan(4);
      proxy.resume();
      await until(async () => (await ask()).every(({ status }) => status === 200));
    } finally {
      await replica.close();
      await proxy.disconnect();
      await plain.close();
    }
  });

  test('a long query continues while the database is reachable', async () => {
    const service = await startService();
    try {
      const admin = await service.asAdmin();
      const { waiting } = await lockWorkspaces(service);
      const hanging = admin.get('/api/workspaces?limit=3');
      await until(async () => (await waiting()) === 1);
      await new Promise((resolve) => setTimeout(resolve, 2500));
      await lock?.release();
      lock = undefined;
      expect((await hanging).status).toBe(200);
    } finally {
      await service.close();
    }
  });
});
