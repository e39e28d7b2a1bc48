import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import type { DatabaseService } from './database.service.js';
import { execute } from './execute.js';

interface Batch {
  /** SQL condition on the table; its `$1` is `time`. */
  where: string;
  time: Date;
  limit: number;
}

/** Deletes at most `limit` rows of a table and returns how many. Skips locked rows, so that replicas share the work. */
export async function deleteBatch<T extends ObjectLiteral>(
  tx: EntityManager,
  entity: EntityTarget<T>,
  { where, time, limit }: Batch,
): Promise<number> {
  const { tableName, primaryColumns } = tx.connection.getMetadata(entity);
  const key = primaryColumns.map(({ databaseName }) => databaseName).join(', ');
  const { rowCount } = await execute(
    tx,
    `WITH batch AS MATERIALIZED (SELECT ${key} FROM ${tableName} WHERE ${where} LIMIT ${limit} FOR UPDATE SKIP LOCKED)
     DELETE FROM ${tableName} WHERE (${key}) IN (SELECT ${key} FROM batch)`,
    [time],
  );
  return rowCount ?? 0;
}

/** Deletes all these rows, in one transaction for each batch, so that no lock is held for long. */
export async function deleteInBatches<T extends ObjectLiteral>(
  database: DatabaseService,
  entity: EntityTarget<T>,
  { limit = 1000, ...rows }: Omit<Batch, 'limit'> & { limit?: number },
): Promise<void> {
  let removed: number;
  do {
    removed = await database.transaction((tx) => deleteBatch(tx, entity, { ...rows, limit }));
  } while (removed === limit);
}

/** Deletes at most 100 rows that expired before this time. */
export const deleteExpired = <T extends ObjectLiteral & { expiresAt: Date }>(
  tx: EntityManager,
  entity: EntityTarget<T>,
  before: Date,
): Promise<number> => deleteBatch(tx, entity, { where: 'expires_at < $1', time: before, limit: 100 });
