import { Client as PgClient } from 'pg';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { DatabaseService } from '../../src/core/database/database.service.js';
import { StoredStateService } from '../../src/health/metrics/stored-state.service.js';
import { startWatched, type Watched } from '../metrics/scrape.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { password } from '../support/factory.js';
import { lockTable } from '../support/table-lock.js';
import { type TcpProxy, startTcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import { numbersOf, writeEvents } from '../webhooks/events.js';
import { type Receiver, startReceiver } from '../webhooks/receiver.js';

const POOL = 5;
/** Ten times the limit of a query in the background. */
const LIMIT_SECONDS = 100;

let database: TestDatabase;
let proxy: TcpProxy;
let watched: Watched;
let owner: PgClient;
let receivers: Receiver[];

beforeEach(async () => {
  database = await createDatabase();
  proxy = await startTcpProxy(database.url);
  receivers = [await startReceiver(), await startReceiver()];
  owner = new PgClient({ connectionString: database.url });
  await owner.connect();
  // In production a setting of the service's role.
  const name = owner.escapeIdentifier(owner.database ?? '');
  await owner.query(`ALTER DATABASE ${name} SET statement_timeout = '5s'`);
  watched = await startWatched({
    DATABASE_URL: proxy.url,
    DATABASE_DIRECT_URL: database.url,
    DATABASE_POOL: String(POOL),
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  });
});
afterEach(async () => {
  await owner.end();
  // Ends the connections, so that the service can stop.
  await proxy.disconnect();
  await proxy.reconnect();
  await watched.service.close();
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await proxy.disconnect();
  await database.drop();
});

const poolIsIdle = (): Promise<boolean> =>
  until(() => {
    const { idle, total } = watched.service.app.get(DatabaseService).pool;
    return idle === total;
  }, LIMIT_SECONDS);

/** Waits until the query returns a row. */
const found = (text: string, id: unknown): Promise<unknown> =>
  until(async () => (await owner.query(text, [id])).rows[0], LIMIT_SECONDS);

test(
  'after a failover, of which the open connections learn nothing, events, jobs and metrics continue',
  async () => {
    const { service } = watched;
    const admin = await service.asAdmin();
    expect((await admin.post('/api/groups', { name: 'Sales' })).status).toBe(201);
    // Every connection of the pool is open.
    await Promise.all(Array.from({ length: POOL }, () => service.database.query('SELECT pg_sleep(0.2)')));
    proxy.vanish();
    // Otherwise the last state is reported for a while.
    Object.assign(service.app.get(StoredStateService), { known: undefined });
    await watched.scrape();
    const events = await owner.query<{ id: string }>(
      `INSERT INTO events (id, type, subject, data, at)
       SELECT gen_random_uuid(), type, subject, data, at FROM events LIMIT 1 RETURNING id`,
    );
    const jobs = await owner.query<{ id: string }>(
      `INSERT INTO pgboss.job (name, data, policy)
       SELECT name, '{}', policy FROM pgboss.queue WHERE name = 'idempotency_cleanup' RETURNING id`,
    );
    await found('SELECT seq FROM events WHERE id = $1 AND seq IS NOT NULL', events.rows[0]?.id);
    await found(`SELECT state FROM pgboss.job WHERE id = $1 AND state <> 'created'`, jobs.rows[0]?.id);
    await until(async () => (await watched.valueOf('vitrine_database_up')) === 1, LIMIT_SECONDS);
  },
  4 * LIMIT_SECONDS * 1000,
);

test(
  'work that outlives its request returns every connection of the pool after such a failover',
  async () => {
    const { service } = watched;
    const people = await Promise.all(Array.from({ length: POOL }, () => service.factory.user()));
    const api = await service.as(people[0]!);
    const refresh = async (refresh_token: unknown): Promise<number> =>
      (await service.api.post('/api/auth/token', { grant_type: 'refresh_token', refresh_token })).status;
    const tokens: unknown[] = [];
    for (const { email } of people) {
      tokens.push((await service.api.post('/api/auth/token', { email, password })).body.refresh_token);
    }
    // The jobs at the start are complete: a statement that a job has sent waits for TCP.
    await service.waitForJobs();
    await Promise.all(Array.from({ length: POOL }, () => service.database.query('SELECT pg_sleep(0.2)')));
    expect((await api.get('/api/workspaces')).status).toBe(200);
    proxy.vanish();
    // The first query of a refresh counts it, that of a denied request records the denial while its session is cached.
    await Promise.all([
      until(async () => (await api.get('/api/users')).status === 403, LIMIT_SECONDS),
      ...tokens.map((token) => until(async () => (await refresh(token)) === 200, LIMIT_SECONDS)),
    ]);
    await poolIsIdle();
  },
  4 * LIMIT_SECONDS * 1000,
);

test(
  'webhooks are delivered after such a failover during their statements, which return every connection of the pool',
  async () => {
    const { service } = watched;
    const admin = await service.asAdmin();
    for (const { url } of receivers) {
      const { status } = await admin.post('/api/webhooks', { url, types: ['workspace.updated'] });
      expect(status).toBe(201);
    }
    await service.waitForJobs();
    const lock = await lockTable(database.url, 'webhook_secrets');
    await writeEvents(service.app, 0, 3);
    await lock.blocks('webhook_secrets', receivers.length);
    proxy.vanish();
    await lock.release();
    const arrived = receivers.map((receiver) =>
      until(() => new Set(numbersOf(receiver.received)).size === 3, LIMIT_SECONDS),
    );
    await Promise.all(arrived);
    await poolIsIdle();
  },
  4 * LIMIT_SECONDS * 1000,
);
