import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';

export type Query = (sql: string, values?: unknown[]) => Promise<object[]>;

/** Statements of the owner of the database of a local start. */
export async function inDatabase<T>(dataDir: string, work: (query: Query) => Promise<T>): Promise<T> {
  const text = readFileSync(join(dataDir, 'postgres.json'), 'utf8');
  const { password, port } = JSON.parse(text) as { password: string; port: number };
  const client = new Client({ host: '127.0.0.1', port, user: 'postgres', password, database: 'vitrine' });
  await client.connect();
  try {
    return await work(async (sql, values) => (await client.query<object>(sql, values)).rows);
  } finally {
    await client.end();
  }
}
