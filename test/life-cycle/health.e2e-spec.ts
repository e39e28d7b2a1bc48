import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Client as Postgres } from 'pg';
import { DatabaseService } from '../../src/core/database/database.service.js';
import { StartupTasks } from '../../src/core/lifecycle/startup-tasks.service.js';
import { startWatched } from '../metrics/scrape.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { type TcpProxy, startTcpProxy } from '../support/tcp-proxy.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

let database: TestDatabase;
let proxy: TcpProxy;
let service: Service;

beforeEach(async () => {
  database = await createDatabase();
  proxy = await startTcpProxy(database.url);
  service = await startService({ DATABASE_URL: proxy.url, DATABASE_DIRECT_URL: database.url });
});
afterEach(async () => {
  await service.close();
  await proxy.disconnect();
  await database.drop();
});

const probe = async (path: string): Promise<number> => (await service.api.get(path)).status;

describe('liveness', () => {
  test('LIFE-04: depends on nothing else, even while the database hangs or is unreachable', async () => {
    const asked = jest.spyOn(service.app.get(DatabaseService), 'isHealthy');
    proxy.stall();
    for (let count = 0; count < 20; count += 1) expect(await probe('/livez')).toBe(200);
    await proxy.disconnect();
    expect(await probe('/livez')).toBe(200);
    expect(asked).not.toHaveBeenCalled();
    await proxy.reconnect();
    proxy.resume();
  });

  test('LIFE-04: does not change during shutdown', async () => {
    service.app.get(StartupTasks).stop();
    expect(await probe('/livez')).toBe(200);
  });
});

describe('readiness', () => {
  test('LIFE-05: follows the database', async () => {
    expect(await probe('/readyz')).toBe(200);
    proxy.stall();
    // The database does not respond: the probe has a limit of its own. A result may be used again for a second.
    await until(async () => (await probe('/readyz')) === 503);
    proxy.resume();
    await until(async () => (await probe('/readyz')) === 200);
  });

  test('LIFE-05: is exported as a metric, from which an alert for a single replica follows', async () => {
    const replica = await startWatched({ DATABASE_URL: proxy.url, DATABASE_DIRECT_URL: database.url });
    const ready = () => replica.valueOf('vitrine_ready');
    try {
      expect(await ready()).toBe(1);
      proxy.stall();
      await until(async () => (await ready()) === 0);
      proxy.resume();
      await until(async () => (await ready()) === 1);
    } finally {
      proxy.resume();
      await replica.service.close();
    }
  });

  test('LIFE-05: queries the database once a second regardless of the number of probes', async () => {
    const asked = jest.spyOn(service.app.get(DatabaseService), 'isHealthy');
    const began = performance.now();
    await Promise.all(Array.from({ length: 100 }, () => probe('/readyz')));
    const seconds = Math.ceil((performance.now() - began) / 1000);
    expect(asked.mock.calls.length).toBeGreaterThan(0);
    expect(asked.mock.calls.length).toBeLessThanOrEqual(1 + seconds);
  });

  test('LIFE-05: fails as soon as the replica shuts down', async () => {
    expect(await probe('/readyz')).toBe(200);
    service.app.get(StartupTasks).stop();
    expect(await probe('/readyz')).toBe(503);
  });
});

test('LIFE-09: connections that the server closed cause no failed request', async () => {
  const admin = await service.asAdmin();
  const postgres = new Postgres({ connectionString: database.url });
  await postgres.connect();
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(Array.from({ length: 8 }, () => admin.get('/api/workspaces')));
    const { rows } = await postgres.query<{ pid: number }>(
      `SELECT pid, pg_terminate_backend(pid, 5000) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    const ended = new Set(rows.map(({ pid }) => pid));
    expect(ended.size).toBeGreaterThan(1);
    const { master } = service.database.driver as unknown as {
      master: { _clients: { processID: number }[] };
    };
    // oxlint-disable-next-line no-underscore-dangle -- the pool tells how many it has, and not which
    await until(() => master._clients.every(({ processID }) => !ended.has(processID)));
    const responses = await Promise.all(Array.from({ length: 8 }, () => admin.get('/api/workspaces')));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  }
  await postgres.end();
});

describe('the health responses', () => {
  test('LIFE-11: contain no versions or hosts, in health and in failure', async () => {
    const member = await service.as(await service.factory.user());
    const well = [await service.api.get('/livez'), await service.api.get('/readyz')];
    for (const { body } of well) expect(body).toEqual({ status: 'ok' });
    const health = await member.get('/api/health');
    await proxy.disconnect();
    const ill = await until(async () => {
      const response = await service.api.get('/readyz');
      return response.status === 503 ? response : undefined;
    });
    for (const { headers, body } of [...well, health, ill]) {
      expect(headers.get('server')).toBeNull();
      expect(headers.get('x-powered-by')).toBeNull();
      expect(JSON.stringify(body)).not.toMatch(/\d+\.\d+|postgres|localhost|express|node|vitrine_/i);
    }
    await proxy.reconnect();
  });
});
