import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions, migrations } from '../src/core/database/data-source.js';
import { pendingMigrationsAt } from '../src/core/database/pending-migrations.js';
import { migrateDatabase } from '../src/core/database/migrate-database.js';
import { createEmptyDatabase, type TestDatabase } from './support/database.js';
import { until } from './support/until.js';

let database: TestDatabase;
let client: Client;
let url: string;

beforeEach(async () => {
  database = await createEmptyDatabase();
  ({ url } = database);
  client = new Client({ connectionString: url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const rowsOf = async (sql: string): Promise<unknown[]> => (await client.query<object>(sql)).rows;
const done = () => rowsOf('SELECT * FROM migrations ORDER BY id');

const names = migrations.map(({ name }) => name);

const insertMigrations = (...names: string[]) =>
  client.query(
    `INSERT INTO migrations (timestamp, name) SELECT right(name, 13)::bigint, name FROM unnest($1::text[]) AS name`,
    [names],
  );

/** As the last replaced migration left it. */
async function migrateUntagged(): Promise<void> {
  await migrateDatabase({ url });
  const source = await new DataSource(dataSourceOptions(url, 1)).initialize();
  for (let later = 1; later < migrations.length; later += 1) await source.undoLastMigration();
  await source.destroy();
  await client.query(`DELETE FROM migrations;
    CREATE FUNCTION name_pairs(name_key text) RETURNS text LANGUAGE sql RETURN name_key;
    CREATE VIEW memberships AS
      SELECT user_id, workspace_id, source, role, expires_at, created_at FROM workspace_grants WHERE user_id IS NOT NULL`);
  await insertMigrations('InitialSchema1795000000000', 'RuleReferences1798760000000');
}

describe('DUR-10: migrations', () => {
  test('that are concurrent run once, and running again changes nothing', async () => {
    await Promise.all([migrateDatabase({ url }), migrateDatabase({ url }), migrateDatabase({ url })]);
    const first = await done();
    expect(first).toHaveLength(migrations.length);
    expect(await rowsOf('SELECT id FROM branding')).toEqual([{ id: 1 }]);
    await migrateDatabase({ url });
    expect(await done()).toEqual(first);
  });

  test('give an existing job queue the limits of this version', async () => {
    await migrateDatabase({ url });
    const limits = () =>
      rowsOf(
        `SELECT policy, expire_seconds, heartbeat_seconds FROM pgboss.queue WHERE name = 'catalogue_sync'`,
      );
    const first = await limits();
    await client.query('UPDATE pgboss.queue SET expire_seconds = 1, heartbeat_seconds = NULL');
    await migrateDatabase({ url });
    expect(await limits()).toEqual(first);
  });

  test('end the schedule of a job queue that this version does not have', async () => {
    await migrateDatabase({ url });
    await client.query(
      `INSERT INTO pgboss.queue SELECT (jsonb_populate_record(queue, '{"name": "session_upkeep"}')).* FROM pgboss.queue AS queue
       WHERE name = 'session_cleanup'`,
    );
    await client.query(
      `INSERT INTO pgboss.schedule (name, cron, timezone) VALUES ('session_upkeep', '* * * * *', 'UTC'),
         ('session_cleanup', '* * * * *', 'UTC')`,
    );
    await migrateDatabase({ url });
    expect(await rowsOf('SELECT name FROM pgboss.schedule')).toEqual([{ name: 'session_cleanup' }]);
  });

  test('create and remove everything in a schema whose name is quoted', async () => {
    const name = new URL(url).pathname.slice(1);
    await client.query(`CREATE SCHEMA "My schema"; ALTER DATABASE ${name} SET search_path = "My schema"`);
    await migrateDatabase({ url });
    const tables = `SELECT table_schema, count(*)::int AS tables FROM information_schema.tables
      WHERE table_name IN ('users', 'issued_tokens', 'grants') GROUP BY 1`;
    expect(await rowsOf(tables)).toEqual([{ table_schema: 'My schema', tables: 3 }]);
    const source = await new DataSource(dataSourceOptions(url, 1)).initialize();
    for (let later = 1; later < migrations.length; later += 1) await source.undoLastMigration();
    await source.destroy();
    expect(await rowsOf(tables)).toEqual([{ table_schema: 'My schema', tables: 1 }]);
  });

  test('use pg_trgm from a schema outside of the search path', async () => {
    await client.query('CREATE SCHEMA "Own extensions"; CREATE EXTENSION pg_trgm SCHEMA "Own extensions"');
    await migrateDatabase({ url });
    const indexes = `SELECT count(*)::int AS indexes FROM pg_indexes WHERE indexdef LIKE '%gin_trgm_ops%'`;
    expect(await rowsOf(indexes)).toEqual([{ indexes: 3 }]);
  });

  test('name the statement for an administrator where their role may not create pg_trgm', async () => {
    // As a provider that allows listed extensions only.
    await client.query(`CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE 'extension "pg_trgm" is not allow-listed'; END $$;
      CREATE EVENT TRIGGER allow_list ON ddl_command_start WHEN TAG IN ('CREATE EXTENSION')
        EXECUTE FUNCTION refuse()`);
    await expect(migrateDatabase({ url })).rejects.toThrow(
      /not allow-listed\. Run as an administrator of .*: CREATE EXTENSION pg_trgm SCHEMA public$/,
    );
    await client.query('DROP EVENT TRIGGER allow_list; CREATE EXTENSION pg_trgm SCHEMA public');
    await migrateDatabase({ url });
    expect(await pendingMigrationsAt(url)).toEqual([]);
  });

  test('index past months of the audit trail once, as a part of the index of the trail', async () => {
    await migrateDatabase({ url });
    const source = await new DataSource(dataSourceOptions(url, 1)).initialize();
    for (let later = names.indexOf('AuditAddresses1798920000000'); later < names.length; later += 1)
      await source.undoLastMigration();
    await source.destroy();
    await client.query(`SELECT audit_create_partition('2020-01-01')`);
    await migrateDatabase({ url });
    const indexes = `SELECT i.indisvalid, h.inhparent::regclass::text AS part_of FROM pg_index i
      JOIN pg_inherits h ON h.inhrelid = i.indexrelid
      WHERE i.indrelid = 'audit_events_202001'::regclass AND pg_get_indexdef(i.indexrelid) LIKE '%(ip, at)'`;
    expect(await rowsOf(indexes)).toEqual([{ indisvalid: true, part_of: 'audit_events_ip_idx' }]);
  });

  test('one that waits for a lock lets others pass and retries', async () => {
    await migrateUntagged();
    const [reader, other] = [new Client({ connectionString: url }), new Client({ connectionString: url })];
    await Promise.all([reader.connect(), other.connect()]);
    // The limits of the running role, which the migration job has set.
    await reader.query('SET idle_in_transaction_session_timeout = 0');
    await other.query('SET statement_timeout = 0; SET lock_timeout = 0');
    await reader.query('BEGIN; SELECT FROM memberships');
    await expect(migrateDatabase({ url, tries: 1 })).rejects.toThrow(/lock timeout/);
    const migrating = migrateDatabase({ url });
    const waits = () =>
      rowsOf(`SELECT FROM pg_locks WHERE relation = 'memberships'::regclass AND NOT granted`);
    for (let round = 0; round < 2; round += 1) {
      await until(async () => (await waits()).length > 0);
      // Waits behind the migration, which gives up its place: the other transaction is still open.
      await other.query('SELECT count(*) FROM memberships');
    }
    await reader.query('COMMIT');
    await migrating;
    expect(await pendingMigrationsAt(url)).toEqual([]);
    await Promise.all([reader.end(), other.end()]);
  });
});

describe('a database of an untagged version', () => {
  test('with the last replaced migration keeps its data, and is pending until it is migrated', async () => {
    await migrateUntagged();
    await client.query(`INSERT INTO users (id, email, name, role, status, created_at)
      VALUES (gen_random_uuid(), 'ada@example.com', 'Ada', 'member', 'active', now())`);
    const data = 'SELECT id, email, name, role, status, created_at FROM users';
    const users = await rowsOf(data);
    expect(await pendingMigrationsAt(url)).toEqual(names);
    await migrateDatabase({ url });
    expect(await pendingMigrationsAt(url)).toEqual([]);
    expect(await rowsOf(data)).toEqual(users);
    expect(
      await rowsOf(
        `SELECT to_regclass('memberships') AS view, to_regprocedure('name_pairs(text)') AS function`,
      ),
    ).toEqual([{ view: null, function: null }]);
    const migrated = await done();
    await migrateDatabase({ url });
    expect(await done()).toEqual(migrated);
  });

  test('with earlier ones only is refused and not changed', async () => {
    await client.query(
      'CREATE TABLE migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name text NOT NULL)',
    );
    await insertMigrations('InitialSchema1795000000000', 'GroupClosure1798740000000');
    const before = await done();
    await expect(migrateDatabase({ url })).rejects.toThrow(
      /run "node bin\/vitrine\.js migrate" of commit 36ab132d first/,
    );
    expect(await done()).toEqual(before);
    expect(await rowsOf(`SELECT tablename FROM pg_tables WHERE schemaname IN ('public', 'pgboss')`)).toEqual([
      { tablename: 'migrations' },
    ]);
    expect(await pendingMigrationsAt(url)).toEqual(names);
  });
});
