import type { EntityManager } from 'typeorm';
import { execute } from '../../core/database/execute.js';

interface Claim {
  id: string;
  capacity: string;
  /** Exports that run at the same time on the capacity. */
  limit: number;
  now: Date;
}

/**
 * Moves an export from the queue of its capacity to `running` when it is its turn: oldest first. The lock serializes the
 * replicas. An older export of the same workspace counts before its own first step has stored its capacity. Returns whether
 * it did.
 */
export async function claimExport(tx: EntityManager, { id, capacity, limit, now }: Claim): Promise<boolean> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`exports:${capacity}`]);
  const { rows } = await execute<{ id: string }>(
    tx,
    `UPDATE report_exports SET status = 'running', touched_at = $4
     WHERE id = $1 AND status = 'queued' AND $3 > (SELECT count(*) FROM report_exports AS other
       WHERE other.capacity = $2 AND (other.status = 'running' OR other.status = 'queued' AND other.id < $1)
          OR other.capacity IS NULL AND other.workspace_id = report_exports.workspace_id
             AND other.status = 'queued' AND other.id < $1)
     RETURNING id`,
    [id, capacity, limit, now],
  );
  return rows.length > 0;
}

/** Appends the parts of a file; a part that an interrupted attempt has written is replaced. */
export const writeChunk = (
  manager: EntityManager,
  exportId: string,
  position: number,
  sealed: Buffer,
): Promise<unknown> =>
  manager.query(
    `INSERT INTO report_export_chunks (export_id, position, sealed) VALUES ($1, $2, $3)
     ON CONFLICT (export_id, position) DO UPDATE SET sealed = excluded.sealed`,
    [exportId, position, sealed],
  );

export async function readChunk(
  manager: EntityManager,
  exportId: string,
  position: number,
): Promise<Buffer | undefined> {
  const { rows } = await execute<{ sealed: Buffer }>(
    manager,
    'SELECT sealed FROM report_export_chunks WHERE export_id = $1 AND position = $2',
    [exportId, position],
  );
  return rows[0]?.sealed;
}

/** Deletes the parts of a file from this position. */
export const deleteChunks = (manager: EntityManager, exportId: string, position = 0): Promise<unknown> =>
  manager.query('DELETE FROM report_export_chunks WHERE export_id = $1 AND position >= $2', [
    exportId,
    position,
  ]);

/** Deletes what was written for an export that has not succeeded: another step of it may have completed the file. */
export const deleteUnfinishedChunks = (manager: EntityManager, exportId: string): Promise<unknown> =>
  manager.query(
    `DELETE FROM report_export_chunks WHERE export_id = $1
       AND NOT EXISTS (SELECT FROM report_exports WHERE id = $1 AND status = 'succeeded')`,
    [exportId],
  );

/** Deletes all but the newest tickets of an export. */
export const deleteOldTickets = (manager: EntityManager, exportId: string, kept: number): Promise<unknown> =>
  manager.query(
    `DELETE FROM report_export_tickets WHERE export_id = $1 AND hash NOT IN
       (SELECT hash FROM report_export_tickets WHERE export_id = $1 ORDER BY expires_at DESC, hash LIMIT $2)`,
    [exportId, kept],
  );
