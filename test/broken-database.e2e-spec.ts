import type { EntityManager } from 'typeorm';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { GroupsService } from '../src/access/groups/groups.service.js';
import { DatabaseService } from '../src/core/database/database.service.js';
import { SnapshotService } from '../src/core/database/snapshot.service.js';
import { AuditService } from '../src/platform/audit/audit.service.js';
import type { User } from '../src/users/user.entity.js';
import type { Workspace } from '../src/workspaces/workspace.entity.js';
import type { Client } from './support/client.js';
import { asOwner, endConnection } from './support/owner.js';
import { type Service, startService } from './support/service.js';
import { createDatabase, type TestDatabase } from './support/database.js';
import { type TcpProxy, startTcpProxy } from './support/tcp-proxy.js';
import { until } from './support/until.js';

describe('500', () => {
  let service: Service;
  let admin: Client;

  beforeEach(async () => {
    service = await startService();
    admin = await service.asAdmin();
  });
  afterEach(() => service.close());

  test('contains only the request id, under which the log has the details', async () => {
    await service.database.query('DROP TABLE reports CASCADE');
    const { status, headers, body } = await admin.get('/api/reports');
    expect(status).toBe(500);
    expect(body).toEqual({
      type: 'urn:vitrine:problem:internal_error',
      title: 'Internal server error',
      status: 500,
      detail: 'The error is logged under the request id.',
      instance: '/api/reports',
      code: 'internal_error',
      request_id: headers.get('x-request-id'),
    });
  });

  test('does not affect other routes', async () => {
    await service.database.query('DROP TABLE reports CASCADE');
    expect((await admin.get('/api/reports')).status).toBe(500);
    expect((await admin.get('/api/workspaces')).status).toBe(200);
  });
});

describe('503', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let service: Service;

  beforeEach(async () => {
    database = await createDatabase();
    proxy = await startTcpProxy(database.url);
    service = await startService({ DATABASE_URL: proxy.url });
  });
  afterEach(async () => {
    await service.close();
    await proxy.disconnect();
    await database.drop();
  });

  test('ERR-08 while the database is unreachable, and normal operation afterwards', async () => {
    const admin = await service.asAdmin();
    await proxy.disconnect();
    const response = await admin.get('/api/workspaces');
    expect(response).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
    expect(response.headers.get('retry-after')).toBe('2');
    expect(JSON.stringify(response.body)).not.toMatch(/ECONN|127\.0\.0\.1|vitrine_test/);
    expect((await service.api.get('/readyz')).status).toBe(503);
    expect((await service.api.get('/livez')).status).toBe(200);
    await proxy.reconnect();
    await until(async () => (await admin.get('/api/workspaces')).status === 200);
    await until(async () => (await service.api.get('/readyz')).status === 200);
  });
});

describe('a server that ends a connection between two statements of a change: 503, and nothing is changed,', () => {
  let service: Service;
  let admin: Client;

  beforeEach(async () => {
    service = await startService();
    admin = await service.asAdmin();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await service.close();
  });

  async function isRefusedOnce(headers: Record<string, string>): Promise<void> {
    const create = () => admin.post('/api/groups', { name: 'Sales' }, headers);
    const refused = await create();
    expect(refused).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
    expect(refused.headers.get('retry-after')).toBe('2');
    expect((await admin.get('/api/groups')).body).toMatchObject({ groups: [] });
    expect((await create()).status).toBe(201);
  }

  test('before the last statement', async () => {
    const audit = service.app.get(AuditService);
    const record = audit.record.bind(audit);
    jest.spyOn(audit, 'record').mockImplementationOnce(async (tx, entry) => {
      await endConnection(service, tx);
      return record(tx, entry);
    });
    await isRefusedOnce({});
  });

  test('before a transaction that joins that of an Idempotency-Key', async () => {
    const groups = service.app.get(GroupsService);
    const create = groups.create.bind(groups);
    jest.spyOn(groups, 'create').mockImplementationOnce(async (caller, input) => {
      await endConnection(service, service.app.get(DatabaseService).manager);
      return create(caller, input);
    });
    await isRefusedOnce({ 'Idempotency-Key': 'groups' });
  });
});

describe('a server that ends a connection before the first part of a file: 503', () => {
  let service: Service;

  beforeEach(async () => {
    service = await startService();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await service.close();
  });

  test('and the next request gets the file', async () => {
    const admin = await service.asAdmin();
    const snapshots = service.app.get(SnapshotService);
    const read = snapshots.read.bind(snapshots);
    jest
      .spyOn(snapshots, 'read')
      .mockImplementationOnce(<T>(work: (tx: EntityManager) => AsyncGenerator<T>) =>
        read(async function* interrupted(tx) {
          await endConnection(service, tx);
          yield* work(tx);
        }),
      );
    const refused = await admin.get('/api/users/me/export');
    expect(refused).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
    expect(refused.headers.get('retry-after')).toBe('2');
    expect((await admin.get('/api/users/me/export')).status).toBe(200);
  });
});

describe('a server that rejects writes', () => {
  let service: Service;
  let admin: Client;
  let sales: Workspace;
  let ada: User;

  beforeEach(async () => {
    service = await startService();
    admin = await service.asAdmin();
    [sales, ada] = [await service.factory.workspace(), await service.factory.user()];
  });
  afterEach(() => service.close());

  const grant = () => admin.put(`/api/workspaces/${sales.id}/members/${ada.id}`, { role: 'viewer' });
  const names = async () =>
    (await admin.get<{ members: { email: string }[] }>(`/api/workspaces/${sales.id}/members`)).body.members;

  async function refusesWrites(): Promise<void> {
    for (const response of [
      await grant(),
      await admin.post('/api/users/invite', { email: 'new@example.com' }),
    ]) {
      expect(response).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
      expect(response.headers.get('retry-after')).toBe('2');
    }
    expect(await names()).toEqual([]);
    expect((await admin.get('/api/workspaces')).status).toBe(200);
    expect((await admin.get('/api/invitations')).body).toMatchObject({ invitations: [] });
  }

  async function isWell(): Promise<void> {
    await until(async () => (await grant()).status === 200);
    expect(await names()).toMatchObject([{ email: ada.email }]);
    expect((await admin.post('/api/users/invite', { email: 'new@example.com' })).status).toBe(201);
  }

  test('DUR-14 because its disk is full: 503, no partial changes, reads continue, and writes resume when there is space', async () => {
    await asOwner(
      service,
      `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`,
      // The last that a change writes.
      'CREATE TRIGGER full_disk BEFORE INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION full_disk()',
    );
    await refusesWrites();
    await asOwner(service, 'DROP TRIGGER full_disk ON audit_events');
    await isWell();
  });

  test('DUR-12 because it is a standby: 503, reads continue, and writes resume after its promotion without a restart', async () => {
    const name = new URL(service.databaseUrl).pathname.slice(1);
    const reconnect = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    await asOwner(service, `ALTER DATABASE ${name} SET default_transaction_read_only = on`, reconnect);
    await until(async () => (await admin.get('/api/workspaces')).status === 200);
    await refusesWrites();
    const health = async () =>
      (await admin.get<{ status: string; checks: Record<string, { status: string }> }>('/api/health')).body;
    const seen = await until(async () => {
      const body = await health();
      return body.checks.database?.status === 'degraded' && body;
    });
    expect(seen).toMatchObject({
      status: 'degraded',
      checks: { database: { detail: 'PostgreSQL is read-only: changes and sign-ins fail.' } },
    });
    // The replicas share the database: none could serve more.
    expect((await service.api.get('/readyz')).status).toBe(200);
    const promote = `ALTER DATABASE ${name} RESET default_transaction_read_only`;
    await asOwner(service, 'SET default_transaction_read_only = off', promote, reconnect);
    await isWell();
    await until(async () => (await health()).checks.database?.status === 'ok');
  });
});
