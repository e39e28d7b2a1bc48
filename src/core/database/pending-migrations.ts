import { Client } from 'pg';
import { migrations } from './data-source.js';

type Query = <T>(sql: string) => Promise<T[]>;

/**
 * Names of the migrations that are not applied. Read-only, so it works for any role, unlike TypeORM's
 * `showMigrations`, which creates its table. A table that the role cannot read counts as absent: the migration job
 * grants access.
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

/** The same check on a temporary connection: role settings that the migration job changes apply to new sessions only. */
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
