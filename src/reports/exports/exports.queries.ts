// SQL, because the queue and the deletions depend on other rows in the same statement.
import type { EntityManager } from 'typeorm';
import { execute } from '../../core/database/execute.js';
import { lockName } from '../../core/database/locks.js';
import { eraseRows, type PersonalData, rowsById } from '../../core/database/personal-data.js';
import { ReportExport } from './report-export.entity.js';

/** SQL condition: the `other` export waits for its turn, and was requested before `$1`. */
const isAhead = `other.status = 'queued' AND other.error_code IS NULL AND other.id < $1`;

interface Claim {
  id: string;
  capacity: string;
  /** Exports that run at the same time on the capacity. */
  limit: number;
  now: Date;
}

/**
 * Moves an export from the queue of its capacity to `running` when it is its turn: oldest first, except those that wait after
 * an error. The lock serializes the replicas. An older export of the same workspace counts before its own first step has stored
 * its capacity. Returns whether it did.
 */
export async function claimExport(tx: EntityManager, { id, capacity, limit, now }: Claim): Promise<boolean> {
  await lockName(tx, `exports:${capacity}`);
  const { rows } = await execute<{ id: string }>(
    tx,
    `UPDATE report_exports SET status = 'running', error_code = NULL, error_detail = NULL, touched_at = $4
     WHERE id = $1 AND status = 'queued' AND $3 > (SELECT count(*) FROM report_exports AS other
       WHERE other.capacity = $2 AND (other.status = 'running' OR ${isAhead})
          OR other.capacity IS NULL AND other.workspace_id = report_exports.workspace_id
             AND ${isAhead})
     RETURNING id`,
    [id, capacity, limit, now],
  );
  return rows.length > 0;
}

/** Deletes what was written for an export that has not succeeded: another step of it may have completed the file. */
export const deleteUnfinishedChunks = (manager: EntityManager, exportId: string): Promise<unknown> =>
  execute(
    manager,
    `DELETE FROM report_export_chunks WHERE export_id = $1
       AND NOT EXISTS (SELECT FROM report_exports WHERE id = $1 AND status = 'succeeded')`,
    [exportId],
  );

/** Deletes all but the newest tickets of an export. */
export const deleteOldTickets = (manager: EntityManager, exportId: string, kept: number): Promise<unknown> =>
  execute(
    manager,
    `DELETE FROM report_export_tickets WHERE export_id = $1 AND hash NOT IN
       (SELECT hash FROM report_export_tickets WHERE export_id = $1 ORDER BY expires_at DESC, hash LIMIT $2)`,
    [exportId, kept],
  );

export const personalData: PersonalData[] = [
  {
    table: 'report_exports',
    columns: ['user_id', 'view_state'],
    holds: 'reports that a person exported to files; the files are deleted with them',
    export: {
      section: 'report_exports',
      rows: rowsById(
        `SELECT id, report_id, workspace_id, format, pages, view_state, status, file_name, size, created_at, finished_at, expires_at
         FROM report_exports WHERE user_id = $1`,
      ),
    },
    erasure: { does: 'delete', run: eraseRows(ReportExport, 'userId') },
  },
];
