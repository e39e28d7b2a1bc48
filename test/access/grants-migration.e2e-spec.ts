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

test('grants on workspaces and reports become one table without a loss, and two again', async () => {
  const old = await connect(1798810000000 - 1);
  await old.runMigrations();
  const [ada, team, sales, revenue, retired] = Array.from({ length: 5 }, () => randomUUID());
  await old.query(
    `INSERT INTO users (id, email, name, role, status, created_at)
     VALUES ($1, 'ada@example.com', 'Ada', 'member', 'active', now())`,
    [ada],
  );
  await old.query(`INSERT INTO groups (id, name, source, created_at) VALUES ($1, 'Team', 'manual', now())`, [
    team,
  ]);
  await old.query(
    `INSERT INTO workspaces (id, pbi_workspace_id, name, updated_at) VALUES ($1, gen_random_uuid(), 'Sales', now())`,
    [sales],
  );
  await old.query(
    `INSERT INTO reports (id, workspace_id, pbi_report_id, name, report_type, embed_url, updated_at, retired_at)
     VALUES ($1, $3, gen_random_uuid(), 'Revenue', 'PowerBIReport', 'https://127.0.0.1/', now(), NULL),
       ($2, $3, gen_random_uuid(), 'Retired', 'PowerBIReport', 'https://127.0.0.1/', now(), now())`,
    [revenue, retired, sales],
  );
  await old.query(
    `INSERT INTO workspace_grants (user_id, group_id, workspace_id, source, role, expires_at, granted_by, by_derived_right, created_at)
     VALUES ($1, NULL, $3, 'manual', 'manager', '2030-01-01', $1, true, '2026-01-01'),
       ($1, NULL, $3, 'provider', 'viewer', NULL, NULL, false, '2026-01-02'),
       (NULL, $2, $3, 'manual', 'editor', '2026-02-01', $1, false, '2026-01-03')`,
    [ada, team, sales],
  );
  await old.query(
    `INSERT INTO report_grants (user_id, group_id, report_id, source, role, created_at)
     VALUES ($1, NULL, $3, 'manual', 'viewer', '2026-01-04'), (NULL, $2, $4, 'scim', 'editor', '2026-01-05')`,
    [ada, team, revenue, retired],
  );
  const columns =
    'user_id, group_id, workspace_id, source, role, expires_at, granted_by, by_derived_right, created_at';
  const copied = 'report_id, name_key, is_retired';
  const before: object[] = await old.query(
    `SELECT ${columns}, NULL AS report_id, NULL AS name_key, false AS is_retired FROM workspace_grants
     UNION ALL SELECT ${columns}, ${copied} FROM report_grants ORDER BY created_at`,
  );
  await old.destroy();

  const current = await connect(1798810000000);
  await current.runMigrations();
  const moved = `SELECT ${columns}, ${copied} FROM grants ORDER BY created_at`;
  expect(await current.query(moved)).toEqual(before);
  await current.query(`UPDATE reports SET name = 'Income', retired_at = NULL`);
  expect(
    await current.query('SELECT DISTINCT name_key, is_retired FROM grants WHERE report_id IS NOT NULL'),
  ).toEqual([{ name_key: 'income', is_retired: false }]);

  await current.undoLastMigration();
  expect(await current.query('SELECT FROM workspace_grants')).toHaveLength(3);
  expect(await current.query('SELECT name_key FROM report_grants')).toEqual([
    { name_key: 'income' },
    { name_key: 'income' },
  ]);
  await current.runMigrations();
  expect(await current.query('SELECT FROM grants')).toHaveLength(5);
  await current.destroy();
});
