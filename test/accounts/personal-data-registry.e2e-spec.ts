import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { personalDataRegistry } from '../../src/accounts/personal-data.js';
import { withoutPerson } from '../support/without-person.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Names of columns that usually hold a person. */
const suspicious = [
  '(^|_)(user|person|people|actor|owner|requester|invitee|viewer|author|recipient|contact|subject)s?(_id|_ids|_bits|_from)?$',
  '(^|_)(email|e?mail_address|ip|ip_address|user_agent|phone|sub|oid|upn|locale|time_zone|attributes|password_hash)$',
  '(^|_)(given|family|first|last|full|user|display)_name$',
  '_(by|by_id)$',
  '^(target_id|external_id|identity|recipients|reason)$',
].join('|');

/** Each column with a foreign key to users or such a name. Partitions are part of their parent; views have no data. */
const columns = `
  SELECT c.relname || '.' || a.attname AS column
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND (a.attname ~ $1 OR EXISTS (
      SELECT FROM pg_constraint f
      WHERE f.contype = 'f' AND f.conrelid = c.oid AND f.confrelid = 'users'::regclass AND a.attnum = ANY(f.conkey)))
  ORDER BY 1`;

const registered = new Set(
  personalDataRegistry.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`)),
);

async function unregistered(): Promise<string[]> {
  const { rows } = await client.query<{ column: string }>(columns, [suspicious]);
  return rows
    .map(({ column }) => column)
    .filter((column) => !registered.has(column) && withoutPerson[column] === undefined);
}

describe('the registry of personal data', () => {
  test('contains each column that refers to users or is named like a person', async () => {
    expect(await unregistered()).toEqual([]);
  });

  test.each([
    ['a foreign key', 'CREATE TABLE probe (holder uuid REFERENCES users)', 'probe.holder'],
    ['a name', 'CREATE TABLE probe (created_by uuid)', 'probe.created_by'],
    ['an address', 'CREATE TABLE probe (contact_email text)', 'probe.contact_email'],
    [
      'a partitioned table',
      'CREATE TABLE probe (actor_id uuid, at date) PARTITION BY RANGE (at); CREATE TABLE probe_1 PARTITION OF probe DEFAULT',
      'probe.actor_id',
    ],
    ['a new column of a known table', 'ALTER TABLE users ADD COLUMN last_name text', 'users.last_name'],
  ])('lacks %s that a migration adds', async (_, sql, column) => {
    await client.query('BEGIN');
    try {
      await client.query(sql);
      expect(await unregistered()).toEqual([column]);
    } finally {
      await client.query('ROLLBACK');
    }
  });

  test('names only columns that exist', async () => {
    const { rows } = await client.query<{ column: string }>(
      `SELECT CASE table_schema WHEN 'public' THEN '' ELSE table_schema || '.' END || table_name || '.' || column_name AS column
       FROM information_schema.columns WHERE table_schema IN ('public', 'pgboss')`,
    );
    const existing = new Set(rows.map(({ column }) => column));
    const named = [...registered, ...Object.keys(withoutPerson)];
    expect(named.filter((column) => !existing.has(column))).toEqual([]);
  });

  test('registers each column once, and has one rows query for each section', () => {
    const all = personalDataRegistry.flatMap(({ table, columns }) => columns.map((c) => `${table}.${c}`));
    expect(all.toSorted()).toEqual([...registered].toSorted());
    const sections = personalDataRegistry.flatMap(({ export: e }) => ('section' in e ? [e.section] : []));
    expect(new Set(sections).size).toBe(sections.length);
    for (const section of sections) expect(section).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });

  test('an entry without its own erasure has another entry of the same table that does it', () => {
    const runs = new Set(
      personalDataRegistry.flatMap(({ table, erasure }) =>
        'does' in erasure && erasure.run !== undefined ? [table] : [],
      ),
    );
    const lacking = personalDataRegistry.filter(
      ({ table, erasure }) => 'does' in erasure && erasure.run === undefined && !runs.has(table),
    );
    // The views of a person and the person's number are erased together.
    expect(lacking.map(({ table }) => table)).toEqual(['usage_people']);
  });
});
