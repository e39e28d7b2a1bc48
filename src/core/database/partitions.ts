import { DatabaseService } from './database.service.js';

const MONTHS_AHEAD = 2;

/** Makes the months of a table ahead, so that writing never waits for one, and drops whole those that are old. */
export async function maintainPartitions(
  database: DatabaseService,
  table: 'audit' | 'embed_grants',
  keptDays: number,
): Promise<void> {
  // Each in a transaction of its own: a month that cannot be dropped keeps no month from being made.
  const call = (name: string, value: number): Promise<void> =>
    database.transaction(async (tx) => {
      await DatabaseService.withLongTimeout(tx);
      await tx.query(`SELECT ${table}_${name}($1)`, [value]);
    });
  await call('prepare_partitions', MONTHS_AHEAD);
  await call('drop_partitions', keptDays);
}
