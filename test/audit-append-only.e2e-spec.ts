import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { AuditService } from '../src/platform/audit/audit.service.js';
import { type Service, startService } from './support/service.js';
import { until } from './support/until.js';

let service: Service;
let role: string;
let db: Client;

/** Signed in as the least-privileged role that a deployment gives the service. */
beforeAll(async () => {
  service = await startService();
  // The job of the start moves old events out of the default partition.
  await service.waitForJobs();
  role = `vitrine_app_${randomUUID().slice(0, 8)}`;
  const url = new URL(service.databaseUrl);
  await service.database.query(`
    CREATE ROLE ${role} LOGIN PASSWORD 'app';
    GRANT SELECT, INSERT ON audit_events TO ${role}`);
  Object.assign(url, { username: role, password: 'app' });
  db = new Client({ connectionString: url.href });
  await db.connect();
});
afterAll(async () => {
  await db.end();
  await service.database.query(`REVOKE ALL ON audit_events FROM ${role}; DROP ROLE ${role}`);
  await service.close();
});

const insert = (at: string): Promise<unknown> =>
  db.query(
    `INSERT INTO audit_events (id, at, action, outcome) VALUES (gen_random_uuid(), $1, 'signed_in', 'allowed')`,
    [at],
  );

const partitions = async (): Promise<string[]> => {
  const rows = await service.database.query<{ name: string }[]>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'audit_events'::regclass`,
  );
  return rows.map(({ name }) => name);
};

const monthOf = (date: Date): string => `audit_events_${date.toISOString().slice(0, 7).replace('-', '')}`;

const statements = [
  `UPDATE audit_events SET action = 'signed_out'`,
  'DELETE FROM audit_events',
  'TRUNCATE audit_events',
  'TRUNCATE audit_events_default',
  `TRUNCATE ${monthOf(new Date())}`,
];

describe('OBS-03 the audit trail is append-only', () => {
  test.each(statements)('the service role has no permission: %s', async (sql) => {
    await insert(new Date().toISOString());
    await expect(db.query(sql)).rejects.toThrow(/permission denied/);
  });

  test.each(statements)('a trigger rejects it even for the owner: %s', async (sql) => {
    await insert(new Date().toISOString());
    await expect(service.database.query(sql)).rejects.toThrow(/append-only/);
  });

  test('rows cannot be changed or deleted through their partition', async () => {
    const month = monthOf(new Date());
    await insert(new Date().toISOString());
    await expect(service.database.query(`DELETE FROM ${month}`)).rejects.toThrow(/append-only/);
    await expect(service.database.query(`UPDATE ${month} SET ip = NULL`)).rejects.toThrow(/append-only/);
  });

  test('the service role cannot drop partitions younger than 90 days or disable the trigger', async () => {
    await expect(db.query('SELECT audit_drop_partitions(0)')).rejects.toThrow(/at least 90 days/);
    await expect(db.query('SELECT audit_drop_partitions(NULL)')).rejects.toThrow(/at least 90 days/);
    await expect(db.query('ALTER TABLE audit_events DISABLE TRIGGER ALL')).rejects.toThrow(/must be owner/);
    await expect(db.query(`SELECT audit_create_partition('2020-01-01')`)).rejects.toThrow(
      /permission denied/,
    );
  });

  test('a role that may not insert audit events may not maintain partitions', async () => {
    await service.database.query(`REVOKE INSERT ON audit_events FROM ${role}`);
    await expect(db.query('SELECT audit_drop_partitions(400)')).rejects.toThrow(/only who writes/);
    await expect(db.query('SELECT audit_prepare_partitions(1)')).rejects.toThrow(/only who writes/);
    await service.database.query(`GRANT INSERT ON audit_events TO ${role}`);
  });

  test('a search_path set by the caller has no effect on the maintenance functions', async () => {
    await db.query(`CREATE TEMP TABLE audit_events (at timestamptz)`);
    await db.query('SET search_path = pg_temp, public');
    await db.query('SELECT audit_prepare_partitions(1)');
    await db.query('RESET search_path; DROP TABLE pg_temp.audit_events');
    expect(await partitions()).toContain(monthOf(new Date()));
  });
});

describe('monthly partitions of the audit trail', () => {
  test('are created in advance, take over the rows of the default partition, and are dropped when old', async () => {
    await insert('2019-03-31T23:59:59Z');
    await insert('2019-04-01T00:00:00Z');
    const recent = new Date(Date.now() - 100 * 86_400_000);
    await insert(recent.toISOString());
    expect(await countIn('audit_events_default')).toBe(3);
    await db.query('SELECT audit_prepare_partitions(3)');
    expect(await countIn('audit_events_default')).toBe(0);
    expect(await countIn('audit_events_201903')).toBe(1);
    expect(await countIn('audit_events_201904')).toBe(1);
    expect(await countIn(monthOf(recent))).toBe(1);
    await service.app.get(AuditService).maintain();
    const left = await partitions();
    expect(left).not.toContain('audit_events_201903');
    expect(left).toContain(monthOf(recent));
    await expect(service.database.query('TRUNCATE audit_events_default')).rejects.toThrow(/append-only/);
  });

  test('are maintained once when ten replicas do so concurrently', async () => {
    await insert('2018-03-31T23:59:59Z');
    const tend = () => service.app.get(AuditService).maintain();
    await Promise.all(Array.from({ length: 10 }, tend));
    expect(await partitions()).not.toContain('audit_events_201803');
  });

  test('are maintained when the service starts', async () => {
    const done = await until(async () => {
      const rows = await service.database.query<{ state: string }[]>(
        `SELECT state FROM pgboss.job WHERE name = 'audit_cleanup' AND state = 'completed'`,
      );
      return rows.length > 0;
    });
    expect(done).toBe(true);
  });
});

async function countIn(table: string): Promise<number> {
  const [row] = await service.database.query<{ n: number }[]>(`SELECT count(*)::int AS n FROM ${table}`);
  return row?.n ?? -1;
}
