import type { EntityManager } from 'typeorm';
import { execute } from '../../core/database/execute.js';
import { reportsRetiredBefore } from '../reports.queries.js';
import type { SavedView } from './saved-view.entity.js';

/** Serializes the creation of views of one report by one person, and returns how many there are. */
export async function countOwnViews(tx: EntityManager, userId: string, reportId: string): Promise<number> {
  const key = `saved views ${userId} ${reportId}`;
  await execute(tx, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
  const { rows } = await execute<{ count: number }>(
    tx,
    'SELECT count(*)::int AS count FROM saved_views WHERE report_id = $1 AND created_by = $2',
    [reportId, userId],
  );
  return rows[0]?.count ?? 0;
}

/** The view with its state, if it is the user's own or shared. With `locks` it is locked until the transaction ends. */
export async function findVisibleView(
  manager: EntityManager,
  { userId, reportId, id, locks = false }: { userId: string; reportId: string; id: string; locks?: boolean },
): Promise<SavedView | undefined> {
  const { rows } = await execute<SavedView>(
    manager,
    `SELECT id, report_id AS "reportId", name, scope, state, page, created_by AS "createdBy",
       created_at AS "createdAt", updated_at AS "updatedAt"
     FROM saved_views WHERE id = $1 AND report_id = $2 AND (created_by = $3 OR scope = 'shared')
     ${locks ? 'FOR UPDATE' : ''}`,
    [id, reportId, userId],
  );
  return rows[0];
}

/** Deletes the views of reports that were retired before this time. */
export async function deleteViewsOfRetired(manager: EntityManager, before: Date): Promise<void> {
  await execute(manager, `DELETE FROM saved_views WHERE report_id IN (${reportsRetiredBefore('$1')})`, [
    before,
  ]);
}
