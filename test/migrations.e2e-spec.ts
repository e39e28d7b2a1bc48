import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { pendingMigrationsAt } from '../src/core/database/pending-migrations.js';
import { migrate } from '../src/migrate.js';
import { createEmptyDatabase, type TestDatabase } from './support/database.js';

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

const insertMigrations = (...names: string[]) =>
  client.query(
    `INSERT INTO migrations (timestamp, name) SELECT right(name, 13)::bigint, name FROM unnest($1::text[]) AS name`,
    [names],
  );

describe('DUR-10: migrations', () => {
  test('that are concurrent run once, and running again changes nothing', async () => {
    await Promise.all([migrate({ url }), migrate({ url }), migrate({ url })]);
    const first = await done();
    expect(first).toHaveLength(1);
    expect(await rowsOf('SELECT id FROM branding')).toEqual([{ id: 1 }]);
    await migrate({ url });
    expect(await done()).toEqual(first);
  });
});

describe('a database of an untagged version', () => {
  test('with the last replaced migration keeps its data, and is pending until it is migrated', async () => {
    await migrate({ url });
    await client.query('DELETE FROM migrations');
    await insertMigrations('InitialSchema1795000000000', 'RuleReferences1798760000000');
    await client.query(`INSERT INTO users (id, email, name, role, status, created_at)
      VALUES (gen_random_uuid(), 'ada@example.com', 'Ada', 'member', 'active', now())`);
    const users = await rowsOf('SELECT * FROM users');
    expect(await pendingMigrationsAt(url)).toEqual(['InitialSchema1798800000000']);
    await migrate({ url });
    expect(await pendingMigrationsAt(url)).toEqual([]);
    expect(await rowsOf('SELECT * FROM users')).toEqual(users);
    const migrated = await done();
    await migrate({ url });
    expect(await done()).toEqual(migrated);
  });

  test('with earlier ones only is refused and not changed', async () => {
    await client.query(
      'CREATE TABLE migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name text NOT NULL)',
    );
    await insertMigrations('InitialSchema1795000000000', 'GroupClosure1798740000000');
    const before = await done();
    await expect(migrate({ url })).rejects.toThrow(
      /run "node bin\/vitrine\.js migrate" of commit 36ab132d first/,
    );
    expect(await done()).toEqual(before);
    expect(await rowsOf(`SELECT tablename FROM pg_tables WHERE schemaname IN ('public', 'pgboss')`)).toEqual([
      { tablename: 'migrations' },
    ]);
    expect(await pendingMigrationsAt(url)).toEqual(['InitialSchema1798800000000']);
  });
});
