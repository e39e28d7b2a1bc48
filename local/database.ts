import { Client } from 'pg';
import { startPostgres } from './postgres.js';

async function openDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** The database of a data folder, running until `parts` is disposed; gives its address. */
export async function startDatabase(
  dataDir: string,
  parts: AsyncDisposableStack,
  log: (line: string) => void,
): Promise<string> {
  const server = await startPostgres({ dataDir, log });
  const quit = () => server.kill();
  process.once('exit', quit);
  parts.defer(async () => {
    await server.stop();
    process.off('exit', quit);
  });
  return openDatabase(server.url, 'vitrine');
}
