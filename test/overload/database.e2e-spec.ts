import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { DatabaseService } from '../../src/core/database/database.service.js';
import { UsageReportsService } from '../../src/usage/usage-reports.service.js';
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

/** A change writes its audit event last. The guard, which reads invitations, does not write any. */
const auditEvent = 'INSERT INTO audit_events';
const listing = 'WITH visible';

async function lockFor({ databaseUrl }: Service, table: string): Promise<TableLock> {
  lock = await lockTable(databaseUrl, table);
  return lock;
}

async function release(): Promise<void> {
  await lock?.release();
  lock = undefined;
}

afterEach(release);

describe('the pool', () => {
  test('LOAD-04: a request gets 503 while others occupy all connections, and later ones succeed', async () => {
    const service = await startService({ DATABASE_POOL: '5', REQUEST_DEADLINE_SECONDS: '60' });
    try {
      const admin = await service.asAdmin();
      const { blocks } = await lockFor(service, 'workspaces');
      const hanging = Array.from({ length: 5 }, () => admin.get('/api/workspaces'));
      await blocks(listing, 5);
      const response = await until(async () => {
        const { status, ...rest } = await admin.get('/api/users');
        return status === 503 && rest;
      });
      expect(response.body).toMatchObject({ code: 'database_unavailable' });
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
      await release();
      // A job that waits for the lock, too, may have taken the place of one of them.
      expect((await Promise.all(hanging)).map(({ status }) => status)).toContain(200);
      expect((await admin.get('/api/users')).status).toBe(200);
    } finally {
      await service.close();
    }
  });

  test('LOAD-04: a locked table of usage figures leaves connections to other requests and to probes', async () => {
    const service = await startService({ REQUEST_DEADLINE_SECONDS: '60' });
    try {
      const admin = await service.asAdmin();
      const { blocks } = await lockFor(service, 'usage_workspace_day');
      const hanging = Array.from({ length: 20 }, () => admin.get('/api/usage/overview'));
      await blocks('usage_workspace_day');
      const others = await Promise.all(Array.from({ length: 20 }, () => admin.get('/api/workspaces')));
      expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
      expect((await service.api.get('/readyz')).status).toBe(200);
      await release();
      for (const { status, headers } of await Promise.all(hanging)) {
        expect([200, 503]).toContain(status);
        expect(headers.get('retry-after') ?? '').toMatch(status === 503 ? /^\d+$/ : /^$/);
      }
      expect((await admin.get('/api/usage/overview')).status).toBe(200);
    } finally {
      await service.close();
    }
  });

  test('LOAD-04: files of usage figures leave connections to other requests, also after their first page', async () => {
    const service = await startService({ REQUEST_DEADLINE_SECONDS: '60' });
    try {
      const admin = await service.asAdmin();
      const report = await service.factory.report(await service.factory.workspace());
      await service.database.query(
        'INSERT INTO usage_report_day (day, report_id, by_admin, workspace_id, views) VALUES ($1, $2, false, $3, 1)',
        [service.clock.now().toISOString().slice(0, 10), report.id, report.workspaceId],
      );
      const { blocks } = await lockFor(service, 'usage_workspace_day');
      // Only the second page waits for the lock.
      const reports = service.app.get(UsageReportsService);
      const listAll = reports.listAll.bind(reports);
      jest.spyOn(reports, 'listAll').mockImplementation(async function* (...given) {
        yield* listAll(...given);
        await service.app.get(DatabaseService).manager.query('SELECT FROM usage_workspace_day');
      });
      const headers = { authorization: `Bearer ${admin.token}`, accept: 'text/csv' };
      const download = async (): Promise<string> =>
        (await fetch(`${service.url}/api/usage/reports`, { headers })).text();
      const hanging = Promise.allSettled(Array.from({ length: 20 }, download));
      await blocks('usage_workspace_day');
      for (let count = 0; count < 20; count += 1)
        expect((await admin.get('/api/workspaces')).status).toBe(200);
      expect((await service.api.get('/readyz')).status).toBe(200);
      await release();
      await hanging;
      expect(await download()).toContain(report.id);
    } finally {
      await release();
      await service.close();
    }
  });
});

describe('the deadline of a request', () => {
  let service: Service;
  let admin: Client;

  beforeAll(async () => {
    // Long enough for a sign-in on a busy machine.
    service = await startService({ DATABASE_POOL: '5', REQUEST_DEADLINE_SECONDS: '4' });
    admin = await service.asAdmin();
  });
  afterAll(() => service.close());

  test('LOAD-08: the response is 504, and the query is cancelled', async () => {
    const { blocksNo } = await lockFor(service, 'workspaces');
    const response = await admin.get('/api/workspaces');
    expect(response).toMatchObject({
      status: 504,
      body: { code: 'deadline_exceeded', instance: '/api/workspaces' },
    });
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    await blocksNo(listing);
  });

  test('LOAD-08: a change is rolled back, and its connection remains usable', async () => {
    const invitations = () => service.database.query<object[]>('SELECT id FROM invitations ORDER BY id');
    const before = await invitations();
    const { blocksNo } = await lockFor(service, 'audit_events');
    const invite = () => admin.post('/api/users/invite', { email: 'grace@example.com', workspaces: [] });
    // More than the pool has connections.
    for (let round = 0; round < 3; round += 1) {
      expect(await invite()).toMatchObject({ status: 504, body: { code: 'deadline_exceeded' } });
    }
    await blocksNo(auditEvent);
    await release();
    expect(await invitations()).toEqual(before);
    expect((await invite()).status).toBe(201);
  });

  test('LOAD-08: many concurrent requests on few connections all end, without leftovers', async () => {
    const { blocksNo } = await lockFor(service, 'workspaces');
    const responses = await Promise.all(Array.from({ length: 20 }, () => admin.get('/api/workspaces')));
    for (const { status } of responses) expect([503, 504]).toContain(status);
    await blocksNo(listing);
    await release();
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

  const abandon = async (method: string, path: string, waits: () => Promise<void>, body?: object) => {
    const leaving = new AbortController();
    const asked = fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
      signal: leaving.signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(() => undefined);
    await waits();
    leaving.abort();
    await asked;
  };

  test('LOAD-08: its read-only query is cancelled', async () => {
    const { blocks, blocksNo } = await lockFor(service, 'workspaces');
    await abandon('GET', '/api/workspaces', () => blocks(listing));
    await blocksNo(listing);
  });

  test('LOAD-08: its pending change is completed', async () => {
    const { blocks } = await lockFor(service, 'audit_events');
    const body = { email: 'lin@example.com', workspaces: [] };
    await abandon('POST', '/api/users/invite', () => blocks(auditEvent), body);
    await release();
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
      DATABASE_POOL: '5',
      REQUEST_DEADLINE_SECONDS: '4',
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
    const responses = await Promise.all(Array.from({ length: 10 }, () => admin.get('/api/workspaces')));
    for (const { status } of responses) expect([503, 504]).toContain(status);
    await until(async () => (await service.api.get('/readyz')).status === 503);
    expect((await service.api.get('/livez')).status).toBe(200);
    proxy.resume();
    await until(async () => (await admin.get('/api/workspaces')).status === 200);
    await until(async () => (await service.api.get('/readyz')).status === 200);
  });
});

describe('a database whose network is cut silently', () => {
  test('LOAD-04: causes a 503, also for a pending query, and is used again afterwards', async () => {
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
      // Not the 504 of the deadline.
      for (const response of await ask()) {
        expect(response).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
      }
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
      const { blocks } = await lockFor(service, 'workspaces');
      const hanging = admin.get('/api/workspaces?limit=3');
      await blocks(listing);
      // Longer than the patience with a query, after which the server is probed.
      await sleep(2500);
      await release();
      expect((await hanging).status).toBe(200);
    } finally {
      await service.close();
    }
  });
});
