import type { Client as Connection } from 'pg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../support/client.js';
import type { Service } from '../support/service.js';
import { mostRowsRead, type Statements } from '../support/statements.js';
import { addressesOf, fillLists, lists, type ManyRows, startLists } from './many-rows.js';

/**
 * After a start with an empty database and a large import PostgreSQL has no statistics for a minute and more. It then assumes few
 * rows, and a statement must not become slow by that.
 */
const ROWS = 3000;
/** Joining the rows with themselves would read `ROWS` times `ROWS`. */
const MOST_READ = 100 * ROWS;

let at: Awaited<ReturnType<typeof startLists>>;
let statements: Statements;
let service: Service;
let admin: Client;
let explaining: Connection;
let many: ManyRows;

beforeAll(async () => {
  at = await startLists();
  ({ statements, service, admin, explaining } = at);
  await service.waitForJobs();
  const { rows } = await explaining.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  for (const { name } of rows) await explaining.query(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`);
  many = await fillLists(service.factory, explaining, ROWS);
}, 300_000);
afterAll(() => at.close());

test.each(lists)('without statistics %s reads no rows again and again', async (path) => {
  for (const url of addressesOf(path, many)) {
    const sent = await statements.during(async () => expect((await admin.get(url)).status).toBe(200));
    // Background jobs send others in between.
    const queries = sent.filter(({ text, isOfRequest }) => isOfRequest && /^\s*(SELECT|WITH)/i.test(text));
    expect(queries.length).toBeGreaterThan(0);
    for (const statement of queries) {
      const read = await mostRowsRead(explaining, statement);
      expect(read < MOST_READ ? 'few' : `${read} by ${statement.text}`).toBe('few');
    }
  }
});
