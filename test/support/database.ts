import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { migrateDatabase } from '../../src/core/database/migrate-database.js';

const LOCK = 4_201;

const server = (): string => {
  const url = process.env.TEST_DATABASE_URL;
  if (url === undefined) throw new Error('Run the tests with "npm test", which starts the database');
  return url;
};

const urlOf = (database: string): string => {
  const url = new URL(server());
  url.pathname = `/${database}`;
  return url.href;
};

async function onServer<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: server() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Names contain the run: a later run never uses an older schema, and each run removes its own databases. */
const run = process.env.TEST_RUN_ID ?? '';
const template = `vitrine_template_${run}`;

/** The migrated template that is cloned for each test file; the first process creates it. */
async function ensureTemplate(client: Client): Promise<void> {
  await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [template]);
  if (rowCount === 0) {
    await client.query(`CREATE DATABASE ${template}_new`);
    await migrateDatabase({ url: urlOf(`${template}_new`) });
    await client.query(`ALTER DATABASE ${template}_new RENAME TO ${template}`);
  }
  await client.query('SELECT pg_advisory_unlock($1)', [LOCK]);
}

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

const newName = (): string => `vitrine_test_${run}_${randomUUID().replaceAll('-', '')}`;

const databaseOf = (name: string): TestDatabase => ({
  url: urlOf(name),
  drop: () => onServer(async (client) => void (await client.query(`DROP DATABASE ${name} WITH (FORCE)`))),
});

/** A new, empty, migrated database. */
export async function createDatabase(): Promise<TestDatabase> {
  const name = newName();
  await onServer(async (client) => {
    await ensureTemplate(client);
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    // In production a setting of the service's role, which a copy of the template does not inherit.
    await client.query(`ALTER DATABASE ${name} SET client_connection_check_interval = '100ms'`);
  });
  return databaseOf(name);
}

/** A new database without a schema. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = newName();
  await onServer((client) => client.query(`CREATE DATABASE ${name}`));
  return databaseOf(name);
}
