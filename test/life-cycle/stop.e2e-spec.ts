import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../support/client.js';
import { freePort } from '../../local/free-port.js';
import { built } from '../support/program.js';
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

const ended = async ({ process }: ReplicaProcess): Promise<{ code: unknown; seconds: () => number }> => {
  const began = performance.now();
  const exit = once(process, 'exit');
  const [code] = (await exit) as unknown[];
  const took = (performance.now() - began) / 1000;
  return { code, seconds: () => took };
};

/** A request of this replica that waits for a table. */
const hang = async (url: string): Promise<{ asked: Promise<number> }> => {
  lock = await lockTable(service.environment.DATABASE_URL ?? '', 'workspaces');
  const asked = new Client(url, admin.token).send('GET', '/api/workspaces', {}).then(
    ({ status }) => status,
    () => 0,
  );
  await until(async () => (await lock?.waiting()) === 1);
  return { asked };
};

describe('SIGTERM', () => {
  test('LIFE-01: not ready immediately, requests served for five seconds, then a clean exit', async () => {
    const { url, process } = await start({ SHUTDOWN_DELAY_SECONDS: '5', REQUEST_DEADLINE_SECONDS: '60' });
    const { asked } = await hang(url);
    const end = ended({ url, process } as ReplicaProcess);
    process.kill('SIGTERM');
    await until(async () => (await statusOf(url, '/readyz')) === 503, 4);
    const during = await fetch(`${url}/api/reports`, { headers: { authorization: `Bearer ${admin.token}` } });
    expect(during.status).toBe(200);
    expect(during.headers.get('connection')).toBe('close');
    expect(await statusOf(url, '/livez')).toBe(200);
    // Told again, by whoever is impatient, it goes on in the same order.
    process.kill('SIGTERM');
    process.kill('SIGINT');
    await until(async () => (await statusOf(url, '/livez')) === 0);
    expect(process.exitCode).toBeNull();
    await lock?.release();
    lock = undefined;
    expect(await asked).toBe(200);
    const { code, seconds } = await end;
    expect(code).toBe(0);
    expect(seconds()).toBeGreaterThan(4.5);
    expect(seconds()).toBeLessThan(25);
  }, 60_000);

  test('LIFE-01: no database connection remains', async () => {
    const other = await startService();
    try {
      const { process } = await startReplicaProcess({ ...other.environment, DATABASE_POOL: '7' });
      const count = async (): Promise<number> => {
        const [row] = await other.database.query<{ count: number }[]>(
          'SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()',
        );
        return row?.count ?? 0;
      };
      const before = await count();
      const exit = once(process, 'exit');
      process.kill('SIGTERM');
      expect(await exit).toEqual([0, null]);
      await until(async () => (await count()) < before);
    } finally {
      await other.close();
    }
  }, 60_000);

  test('LIFE-03: requests that exceed the drain time are cut off, and the process exits cleanly', async () => {
    const { url, process } = await start({
      REQUEST_DEADLINE_SECONDS: '60',
      SHUTDOWN_DRAIN_SECONDS: '1',
    });
    const { asked } = await hang(url);
    const end = ended({ url, process } as ReplicaProcess);
    process.kill('SIGTERM');
    expect(await asked).toBe(0);
    const { code, seconds } = await end;
    expect(code).toBe(0);
    expect(seconds()).toBeLessThan(20);
    // Through a connection pooler the cancellation reaches PostgreSQL after the process has exited.
    await until(async () => (await lock?.waiting()) === 0);
  }, 60_000);

  test('LIFE-03: the exit is forced when the shutdown hangs', async () => {
    const { url, process, output } = await start({
      REQUEST_DEADLINE_SECONDS: '60',
      SHUTDOWN_DRAIN_SECONDS: '60',
      SHUTDOWN_FORCED_SECONDS: '2',
    });
    const { asked } = await hang(url);
    const end = ended({ url, process } as ReplicaProcess);
    process.kill('SIGTERM');
    const { code, seconds } = await end;
    expect(code).toBe(1);
    expect(seconds()).toBeGreaterThan(1.5);
    expect(seconds()).toBeLessThan(20);
    expect(output()).toContain('Shutdown did not complete within 2 seconds');
    expect(await asked).toBe(0);
  }, 60_000);
});

const canBeFirst = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0;

// Where a process may have a namespace of its own, as a container has.
for (const as of canBeFirst ? ['unshare'] : []) {
  test('LIFE-10: the first process of a container handles SIGTERM', async () => {
    const port = await freePort();
    const outer = spawn(as, ['--pid', '--fork', '--', process.execPath, built('src/main.js')], {
      env: { ...service.environment, PATH: process.env.PATH, PORT: String(port) },
      stdio: 'ignore',
    });
    const url = `http://127.0.0.1:${port}`;
    await until(async () => (await statusOf(url, '/readyz')) === 200, 30);
    const children = readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8').trim();
    expect(children).toMatch(/^\d+$/);
    const exit = once(outer, 'exit');
    process.kill(Number(children), 'SIGTERM');
    expect(await exit).toEqual([0, null]);
  }, 60_000);
}

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
}, 120_000);
