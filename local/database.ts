import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { startPostgres } from './postgres.js';

/** The script that operators run for the same role, relative to the built file. */
const roles = new URL('../../deploy/sql/roles.sql', import.meta.url);
const runningRole = 'vitrine_app';

export interface DatabaseUrls {
  owner: string;
  /** For the service's role, which can only read and write rows, as in production. */
  service: string;
}

interface LocalDatabase extends DatabaseUrls {
  /** Whether the service never ran on it: also after a first start that was interrupted. */
  isNew: boolean;
}

async function asOwner<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Creates the database if it does not exist. */
const createDatabase = (serverUrl: string, name: string): Promise<void> =>
  asOwner(serverUrl, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(name)}`);
  });

async function openDatabase(serverUrl: string, name: string): Promise<LocalDatabase> {
  await createDatabase(serverUrl, name);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const owner = url.href;
  // A new password at each start, so that none is stored.
  const password = randomBytes(24).toString('base64url');
  const isNew = await asOwner(owner, async (client) => {
    // Lines that start with a backslash are psql commands.
    await client.query(readFileSync(roles, 'utf8').replaceAll(/^\\.*$/gm, ''));
    await client.query(`alter role ${runningRole} password ${client.escapeLiteral(password)}`);
    const { rowCount } = await client.query(`select from pg_tables where tablename = 'migrations'`);
    return !rowCount;
  });
  Object.assign(url, { username: runningRole, password });
  return { owner, service: url.href, isNew };
}

/** Starts the database of a data folder, until `parts` is disposed. */
export async function startDatabase(
  dataDir: string,
  parts: AsyncDisposableStack,
  log: (line: string) => void,
): Promise<LocalDatabase> {
  const server = await startPostgres({ dataDir, log });
  const quit = () => server.kill();
  process.once('exit', quit);
  parts.defer(async () => {
    await server.stop();
    process.off('exit', quit);
  });
  return openDatabase(server.url, 'vitrine');
}
