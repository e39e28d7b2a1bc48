import { DatabaseService } from './database.service.js';
import { execute } from './execute.js';

const MONTHS_AHEAD = 2;

/**
 * Creates the partitions of the next months in advance, so that inserts never wait for one, and drops a partition
 * when its month ended more than `keptDays` days ago.
 */
export async function maintainPartitions(
  database: DatabaseService,
  table: 'audit' | 'issued_tokens' | 'usage_views' | 'events',
  keptDays: number,
): Promise<void> {
  // Separate transactions: a partition that cannot be dropped must not prevent the creation of new ones.
  const call = (name: string, value: number): Promise<void> =>
    database.transaction(async (tx) => {
      await DatabaseService.withLongTimeout(tx);
      await execute(tx, `SELECT ${table}_${name}($1)`, [value]);
    });
  await call('prepare_partitions', MONTHS_AHEAD);
  await call('drop_partitions', keptDays);
}
