import { Client as Connection } from 'pg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';
import { mostRowsRead, Statements } from '../support/statements.js';
import { addressesOf, fillLists, lists, type ManyRows } from './many-rows.js';

/**
 * After a start with an empty database and a large import PostgreSQL has no statistics for a minute and more. It then assumes few
 * rows, and a statement must not become slow by that.
 */
const ROWS = 3000;
/** Joining the rows with themselves would read `ROWS` times `ROWS`. */
const MOST_READ = 100 * ROWS;

let statements: Statements;
let service: Service;
let admin: Client;
let explaining: Connection;
let many: ManyRows;

beforeAll(async () => {
  statements = new Statements();
  service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0' });
  const { factory, environment } = service;
  admin = await service.asAdmin();
  explaining = new Connection({
    connectionString: environment.DATABASE_DIRECT_URL ?? environment.DATABASE_URL,
  });
  await explaining.connect();
  await explaining.query('SET statement_timeout = 0');
  await service.waitForJobs();
  const { rows } = await explaining.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  for (const { name } of rows) await explaining.query(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`);
  many = await fillLists(factory, explaining, ROWS);
}, 300_000);
afterAll(async () => {
  statements.close();
  await explaining.end();
  await service.close();
});

test.each(lists)('without statistics %s reads no rows again and again', async (path) => {
  for (const url of addressesOf(path, many)) {
    const sent = await statements.during(async () => expect((await admin.get(url)).status).toBe(200));
    const queries = sent.filter(({ text }) => /^\s*(SELECT|WITH)/i.test(text));
    expect(queries.length).toBeGreaterThan(0);
    for (const statement of queries) {
      const read = await mostRowsRead(explaining, statement);
      expect(read < MOST_READ ? 'few' : `${read} by ${statement.text}`).toBe('few');
    }
  }
});
