import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dataSourceOptions, migrations } from '../../src/core/database/data-source.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

async function connect(upTo: number): Promise<DataSource> {
  const known = migrations.filter(({ name }) => Number(/\d+$/.exec(name)?.[0]) <= upTo);
  return new DataSource({ ...dataSourceOptions(database.url, 2), migrations: known }).initialize();
}

test('memberships become grants without a loss, and a view shows them to release 0.1', async () => {
  const old = await connect(1797000000000);
  await old.runMigrations();
  const [ada, ben, sales, finance] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await old.query(
    `INSERT INTO users (id, email, name, role, status, created_at)
     VALUES ($1, 'ada@example.com', 'Ada', 'member', 'active', now()), ($2, 'ben@example.com', 'Ben', 'member', 'active', now())`,
    [ada, ben],
  );
  await old.query(
    `INSERT INTO workspaces (id, pbi_workspace_id, name, updated_at) VALUES ($1, $3, 'Sales', now()), ($2, $4, 'Finance', now())`,
    [sales, finance, randomUUID(), randomUUID()],
  );
  await old.query(
    `INSERT INTO memberships (user_id, workspace_id, source, role, expires_at, created_at) VALUES
       ($1, $3, 'manual', 'manager', NULL, '2026-01-01'), ($1, $3, 'provider', 'viewer', NULL, '2026-01-02'),
       ($1, $4, 'manual', 'editor', '2030-01-01', '2026-01-03'), ($2, $4, 'manual', 'viewer', '2026-02-01', '2026-01-04')`,
    [ada, ben, sales, finance],
  );
  const columns = 'user_id, workspace_id, source, role, expires_at, created_at';
  const before: object[] = await old.query(`SELECT ${columns} FROM memberships ORDER BY 1, 2, 3`);
  await old.destroy();

  const current = await connect(1797100000000);
  await current.runMigrations();
  expect(await current.query(`SELECT ${columns} FROM workspace_grants ORDER BY 1, 2, 3`)).toEqual(before);
  expect(await current.query('SELECT FROM workspace_grants WHERE group_id IS NOT NULL')).toEqual([]);
  expect(await current.query(`SELECT ${columns} FROM memberships ORDER BY 1, 2, 3`)).toEqual(before);

  await current.undoLastMigration();
  expect(await current.query(`SELECT ${columns} FROM memberships ORDER BY 1, 2, 3`)).toEqual(before);
  await current.destroy();
  expect(before).toHaveLength(4);
});
