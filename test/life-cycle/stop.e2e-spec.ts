import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Client as Postgres } from 'pg';
import { Client } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import { type ReplicaProcess, startReplicaProcess } from '../support/replicas.js';
import { type Service, startService } from '../support/service.js';
import { lockTable, type TableLock } from '../support/table-lock.js';
import { until } from '../support/until.js';

// Counts requests.
Client.warms = false;

let service: Service;
let admin: Client;
let replica: ReplicaProcess | undefined;
let lock: TableLock | undefined;

beforeAll(async () => {
  service = await startService();
  admin = await service.asAdmin();
});
afterAll(() => service.close());
afterEach(async () => {
  replica?.process.kill('SIGKILL');
  await lock?.release();
  replica = lock = undefined;
});

const start = async (variables: Record<string, string> = {}): Promise<ReplicaProcess> => {
  replica = await startReplicaProcess({ ...service.environment, ...variables });
  return replica;
};

const statusOf = (url: string, path: string): Promise<number> =>
  fetch(url + path, { headers: { connection: 'close' } }).then(
    ({ status }) => status,
    () => 0,
  );

const listing = 'WITH visible';

/** A request of this replica that waits for a table. */
const hang = async (url: string): Promise<{ asked: Promise<number> }> => {
  lock = await lockTable(service.databaseUrl, 'workspaces');
  const asked = new Client(url, admin.token).send('GET', '/api/workspaces', {}).then(
    ({ status }) => status,
    () => 0,
  );
  await lock.blocks(listing);
  return { asked };
};

describe('SIGTERM', () => {
  test('LIFE-01: not ready immediately, requests served for five seconds, then a clean exit', async () => {
    const { url, process } = await start({ SHUTDOWN_DELAY_SECONDS: '5', REQUEST_DEADLINE_SECONDS: '60' });
    const { asked } = await hang(url);
    const exit = once(process, 'exit');
    process.kill('SIGTERM');
    await until(async () => (await statusOf(url, '/readyz')) === 503);
    // Further signals do not shorten it.
    process.kill('SIGTERM');
    process.kill('SIGINT');
    const during = await fetch(`${url}/api/reports`, { headers: { authorization: `Bearer ${admin.token}` } });
    expect(during.status).toBe(200);
    expect(during.headers.get('connection')).toBe('close');
    expect(await statusOf(url, '/livez')).toBe(200);
    await until(async () => (await statusOf(url, '/livez')) === 0);
    expect(process.exitCode).toBeNull();
    await lock?.release();
    lock = undefined;
    expect(await asked).toBe(200);
    expect(await exit).toEqual([0, null]);
  });

  test('LIFE-01: no database connection remains', async () => {
    const database = await createDatabase();
    const observer = new Postgres({ connectionString: database.url });
    await observer.connect();
    try {
      const { process } = await start({ DATABASE_URL: database.url, DATABASE_DIRECT_URL: database.url });
      const connections = async (): Promise<number | null> => {
        const own = `datname = current_database() AND application_name LIKE 'vitrine%'`;
        return (await observer.query(`SELECT FROM pg_stat_activity WHERE ${own}`)).rowCount;
      };
      expect(await connections()).toBeGreaterThan(0);
      const exit = once(process, 'exit');
      process.kill('SIGTERM');
      expect(await exit).toEqual([0, null]);
      await until(async () => (await connections()) === 0);
    } finally {
      await observer.end();
      await database.drop();
    }
  });

  test('LIFE-03: requests that exceed the drain time are cut off, and the process exits cleanly', async () => {
    const { url, process } = await start({
      REQUEST_DEADLINE_SECONDS: '60',
      SHUTDOWN_DRAIN_SECONDS: '1',
    });
    const { asked } = await hang(url);
    const exit = once(process, 'exit');
    process.kill('SIGTERM');
    expect(await asked).toBe(0);
    expect(await exit).toEqual([0, null]);
    // Through a connection pooler the cancellation reaches PostgreSQL after the process has exited.
    await lock?.blocksNo(listing);
  });

  test('LIFE-03: the exit is forced when the shutdown hangs', async () => {
    const { url, process, output } = await start({
      REQUEST_DEADLINE_SECONDS: '60',
      SHUTDOWN_DRAIN_SECONDS: '60',
      SHUTDOWN_FORCED_SECONDS: '2',
    });
    const { asked } = await hang(url);
    const exit = once(process, 'exit');
    process.kill('SIGTERM');
    expect(await exit).toEqual([1, null]);
    expect(output()).toContain('Shutdown did not complete within 2 seconds');
    expect(await asked).toBe(0);
  });
});

test('LIFE-02: a rolling restart loses no request', async () => {
  const variables = { ...service.environment, SHUTDOWN_DELAY_SECONDS: '2' };
  const replicas = await Promise.all([startReplicaProcess(variables), startReplicaProcess(variables)]);
  const ready = new Set(replicas.map(({ url }) => url));
  const over = new AbortController();
  // As a balancer does: it looks often, and sends to whoever said yes last.
  const look = async (): Promise<void> => {
    while (!over.signal.aborted) {
      for (const { url } of replicas) {
        if ((await statusOf(url, '/readyz')) === 200) ready.add(url);
        else ready.delete(url);
      }
      await sleep(50);
    }
  };
  const statuses: number[] = [];
  const send = async (): Promise<void> => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const urls = [...ready];
      const url = urls[turn % urls.length];
      if (url !== undefined) {
        const response = await new Client(url, admin.token)
          .get('/api/workspaces')
          .catch(() => ({ status: 0 }));
        statuses.push(response.status);
      }
      await sleep(20);
    }
  };
  const running = [look(), send(), send()];
  try {
    for (const [index, old] of replicas.entries()) {
      const exit = once(old.process, 'exit');
      old.process.kill('SIGTERM');
      expect(await exit).toEqual([0, null]);
      const next = await startReplicaProcess(variables);
      replicas[index] = next;
      await until(() => ready.has(next.url));
    }
  } finally {
    over.abort();
    await Promise.all(running);
    for (const { process } of replicas) process.kill('SIGKILL');
  }
  expect(statuses.length).toBeGreaterThan(50);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
});
