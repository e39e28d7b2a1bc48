import { Client } from 'pg';
import { migrations } from './data-source.js';

type Query = <T>(sql: string) => Promise<T[]>;

/**
 * Names of the migrations that the database lacks. Only reads, so it holds for any role and any database; TypeORM's
 * `showMigrations` creates its table. A table that the role may not read counts as absent: the migration job grants it.
 */
export async function pendingMigrations(query: Query): Promise<string[]> {
  const names = migrations.map((Migration) => new Migration().name);
  const [table] = await query<{ readable: boolean | null }>(
    `SELECT has_table_privilege(to_regclass('migrations'), 'SELECT') AS readable`,
  );
  if (table?.readable !== true) return names;
  const done = new Set(
    (await query<{ name: string }>('SELECT name FROM migrations')).map(({ name }) => name),
  );
  return names.filter((name) => !done.has(name));
}

/** The same over a connection that ends with it: the role's settings, which the job makes, hold for new sessions only. */
export async function pendingMigrationsAt(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await pendingMigrations(async <T>(sql: string) => (await client.query(sql)).rows as T[]);
  } finally {
    await client.end();
  }
}
