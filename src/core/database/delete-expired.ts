import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';

const BATCH = 100;

/** Deletes at most 100 rows that expired before this time from a table keyed by `hash`. Skips locked rows. */
export async function deleteExpired<T extends ObjectLiteral & { hash: Buffer; expiresAt: Date }>(
  tx: EntityManager,
  entity: EntityTarget<T>,
  before: Date,
): Promise<void> {
  const { tableName } = tx.connection.getMetadata(entity);
  await tx.query(
    `DELETE FROM ${tableName} WHERE hash IN
       (SELECT hash FROM ${tableName} WHERE expires_at < $1 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
    [before],
  );
}
