import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { startPostgres } from './postgres.js';

/** Of this file as it is built: what an operator runs, for the same role. */
const roles = new URL('../../deploy/sql/roles.sql', import.meta.url);
const runningRole = 'vitrine_app';

export interface DatabaseUrls {
  owner: string;
  /** As whom the service runs, as in production: it may read and write rows and nothing else. */
  service: string;
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

async function openDatabase(serverUrl: string, name: string): Promise<DatabaseUrls> {
  await asOwner(serverUrl, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(name)}`);
  });
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const owner = url.href;
  // Another one with each start: there is nothing to keep.
  const password = randomBytes(24).toString('base64url');
  await asOwner(owner, async (client) => {
    // Lines with a backslash are for psql.
    await client.query(readFileSync(roles, 'utf8').replaceAll(/^\\.*$/gm, ''));
    await client.query(`alter role ${runningRole} password ${client.escapeLiteral(password)}`);
  });
  Object.assign(url, { username: runningRole, password });
  return { owner, service: url.href };
}

/** The database of a data folder, running until `parts` is disposed; gives its addresses. */
export async function startDatabase(
  dataDir: string,
  parts: AsyncDisposableStack,
  log: (line: string) => void,
): Promise<DatabaseUrls> {
  const server = await startPostgres({ dataDir, log });
  const quit = () => server.kill();
  process.once('exit', quit);
  parts.defer(async () => {
    await server.stop();
    process.off('exit', quit);
  });
  return openDatabase(server.url, 'vitrine');
}
