import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client, Pool } from 'pg';
import { inRequestContext } from '../../src/core/http/request-context.js';
import { AbortableClient } from '../../src/core/database/abortable-client.js';
import { withConnection } from '../../src/core/database/execute.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';

const SIZE = 20;

let database: TestDatabase;
let proxy: TcpProxy;
let pool: Pool;
/** Not a connection of the pool, not through the proxy. */
let observer: Client;

beforeAll(async () => {
  database = await createDatabase();
  proxy = await startTcpProxy(database.url);
  observer = new Client({ connectionString: database.url });
  await observer.connect();
  await observer.query('CREATE TABLE notes (text text)');
});
afterAll(async () => {
  await observer.end();
  await proxy.disconnect();
  await database.drop();
});
beforeEach(() => {
  const connectionString = proxy.url;
  pool = new Pool({ connectionString, max: SIZE, pipeline: true, keepAlive: true, Client: AbortableClient });
  pool.on('error', () => undefined);
});
afterEach(() => pool.end());

const within = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  inRequestContext({ requestId: 'r', ip: '', userAgent: '', signal }, work);
const abortAfter = (milliseconds: number): AbortSignal => {
  const request = new AbortController();
  setTimeout(() => request.abort(new Error('aborted')), milliseconds);
  return request.signal;
};
const notes = async (): Promise<string[]> => {
  const { rows } = await observer.query<{ text: string }>('SELECT text FROM notes');
  return rows.map(({ text }) => text);
};
const running = async (text: string): Promise<number> => {
  const { rows } = await observer.query<{ count: number }>(
    `SELECT count(*)::int FROM pg_stat_activity WHERE state = 'active' AND query LIKE $1 AND pid <> pg_backend_pid()`,
    [`%${text}%`],
  );
  return rows[0]?.count ?? 0;
};

test('LOAD-08: the query of an aborted request ends on the server, and its connection is not used again', async () => {
  const pids: number[] = [];
  const query = () =>
    withConnection(pool, async (client) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      pids.push(...rows.map(({ pid }) => pid));
      return client.query('SELECT pg_sleep(601)');
    });
  const request = new AbortController();
  const failure = within(request.signal, query).catch((error: unknown) => error);
  await until(async () => (await running('pg_sleep(601)')) === 1);
  request.abort(new Error('aborted'));
  expect(await failure).toEqual(new Error('aborted'));
  expect(pool.totalCount).toBe(0);
  await until(async () => (await running('pg_sleep(601)')) === 0);
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  expect(pids).not.toContain(rows[0]?.pid);
});

test('LOAD-08: a query that ends shortly after the abort keeps its connection', async () => {
  const isKept = async (): Promise<boolean> => {
    const request = new AbortController();
    const query = () =>
      withConnection(pool, (client) => {
        const pending = client.query('SELECT pg_sleep(0.02)');
        request.abort(new Error('aborted'));
        return pending;
      });
    return within(request.signal, query).then(
      () => true,
      () => false,
    );
  };
  // A busy machine may take too long for a query.
  await until(isKept);
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
});

test('LOAD-08: an abort around the end of a query never affects the next one', async () => {
  const outcomes = { done: 0, aborted: 0 };
  const attempt = async (milliseconds: number): Promise<void> => {
    const query = () =>
      withConnection(pool, (client) => client.query('SELECT pg_sleep($1)', [milliseconds / 1000]));
    try {
      await within(abortAfter(100), query);
      outcomes.done += 1;
    } catch (error) {
      if ((error as Error).message !== 'aborted') throw error;
      outcomes.aborted += 1;
    }
    const next = await pool.query<{ n: number }>('SELECT $1::int AS n', [milliseconds]);
    expect(next.rows).toEqual([{ n: milliseconds }]);
  };
  for (let round = 0; round < 10; round += 1) {
    // Around the time of the check that closes the connection, and one far from it on each side.
    const around = Array.from({ length: SIZE - 2 }, (_, n) => 230 + 2 * n);
    await Promise.all([0, ...around, 5000].map(attempt));
  }
  expect(outcomes.done + outcomes.aborted).toBe(10 * SIZE);
  expect(Math.min(outcomes.done, outcomes.aborted)).toBeGreaterThan(0);
});

test('LOAD-08: pipelined queries of an aborted request end together, and their transaction is rolled back', async () => {
  const transaction = () =>
    withConnection(pool, async (client) => {
      await client.query('BEGIN');
      await client.query(`INSERT INTO notes VALUES ('pipelined')`);
      const slow = Array.from({ length: 3 }, () => client.query('SELECT pg_sleep(602)'));
      await Promise.all(slow.map((query) => expect(query).rejects.toThrow('aborted')));
      await client.query('COMMIT');
    });
  await expect(within(abortAfter(100), transaction)).rejects.toThrow('aborted');
  await until(async () => (await running('pg_sleep(602)')) === 0);
  expect(await notes()).not.toContain('pipelined');
});

test('LOAD-08: after the abort a request can roll back, and do nothing else', async () => {
  const request = new AbortController();
  await within(request.signal, () =>
    withConnection(pool, async (client) => {
      await client.query('BEGIN');
      await client.query(`INSERT INTO notes VALUES ('half done')`);
      request.abort(new Error('aborted'));
      await expect(client.query('SELECT 1')).rejects.toThrow('aborted');
      await expect(client.query('COMMIT')).rejects.toThrow('aborted');
      await client.query('ROLLBACK');
    }),
  );
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
  expect(await notes()).not.toContain('half done');
});

test('LOAD-08: a COMMIT that was sent before the abort is completed', async () => {
  await observer.query(`
    CREATE TABLE slow_commits (text text);
    CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.7); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER pause AFTER INSERT ON slow_commits DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION pause()`);
  const request = new AbortController();
  await within(request.signal, () =>
    withConnection(pool, async (client) => {
      await client.query('BEGIN');
      await client.query(`INSERT INTO slow_commits VALUES ('kept')`);
      setTimeout(() => request.abort(new Error('aborted')), 100);
      await client.query('COMMIT');
    }),
  );
  expect(request.signal.aborted).toBe(true);
  expect((await observer.query('SELECT FROM slow_commits')).rowCount).toBe(1);
});

test('LOAD-08: a ROLLBACK on a connection that hangs is abandoned, and so is a query without a deadline', async () => {
  const [aborted, endless] = [new AbortController(), new AbortController()];
  const rollback = () =>
    withConnection(pool, async (client) => {
      await client.query('BEGIN');
      proxy.stall();
      aborted.abort(new Error('aborted'));
      await client.query('ROLLBACK');
    });
  const query = () => withConnection(pool, (client) => client.query('SELECT pg_sleep(60)'));
  await pool.query('SELECT 1');
  const hanging = within(endless.signal, query);
  const results = await Promise.allSettled([within(aborted.signal, rollback), hanging]);
  expect(results.map((result) => result.status === 'rejected' && (result.reason as Error).message)).toEqual([
    'aborted',
    'Connection terminated unexpectedly',
  ]);
  expect(pool.totalCount).toBe(0);
  proxy.resume();
  await sleep(100);
  expect((await pool.query('SELECT 1')).rowCount).toBe(1);
});

test('a statement without a deadline on a lost connection ends, unless PostgreSQL would not have ended it', async () => {
  const options = { connectionString: proxy.url, Client: AbortableClient };
  const limited = new Pool({ ...options, options: '-c statement_timeout=1000' });
  const query = (of: Pool, text: string) => withConnection(of, (client) => client.query(text));
  const long = 'SELECT pg_sleep(8)';
  const transaction = () =>
    withConnection(limited, async (client) => {
      await client.query('BEGIN');
      await client.query('SET LOCAL statement_timeout = 0');
      const result = await client.query(long);
      await client.query('COMMIT');
      return result;
    });
  try {
    await query(limited, 'SELECT 1');
    proxy.vanish();
    const lost = query(limited, 'SELECT 1').catch((error: unknown) => error);
    const others = await Promise.all([query(pool, long), transaction()]);
    expect(others.map(({ rowCount }) => rowCount)).toEqual([1, 1]);
    expect(await lost).toEqual(new Error('Connection terminated unexpectedly'));
    expect(limited.totalCount).toBe(limited.idleCount);
  } finally {
    await limited.end();
  }
});
