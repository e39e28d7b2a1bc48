import type { DataSource } from 'typeorm';
import { checkClient } from './check-client.js';
import { migrations } from './data-source.js';
import { execute } from './execute.js';

type Query = <T extends object>(sql: string) => Promise<T[]>;

/**
 * Names of the migrations that are not applied. Read-only, so it works for any role, unlike TypeORM's
 * `showMigrations`, which creates its table. A table that the role cannot read counts as absent: the migration job
 * grants access.
 */
async function pendingMigrations(query: Query): Promise<string[]> {
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

/** The same on a connection of the service. */
export const pendingMigrationsOf = ({ manager }: DataSource): Promise<string[]> =>
  pendingMigrations(async <T extends object>(sql: string) => (await execute<T>(manager, sql, [])).rows);

/** The same check on a temporary connection: role settings that the migration job changes apply to new sessions only. */
export async function pendingMigrationsAt(url: string): Promise<string[]> {
  const client = checkClient({ connectionString: url });
  try {
    await client.connect();
    return await pendingMigrations(
      async <T extends object>(sql: string) => (await client.query<T>(sql)).rows,
    );
  } finally {
    await client.end();
  }
}
