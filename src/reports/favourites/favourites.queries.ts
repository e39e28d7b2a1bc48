import type { EntityManager } from 'typeorm';
import { execute } from '../../core/database/execute.js';
import { isActiveUser } from '../../users/users.queries.js';

const reportIds = async (manager: EntityManager, text: string, userId: string): Promise<string[]> => {
  const { rows } = await execute<{ report_id: string }>(manager, text, [userId]);
  return rows.map(({ report_id }) => report_id);
};

/** Newest first. */
export const listFavourites = (manager: EntityManager, userId: string): Promise<string[]> =>
  reportIds(
    manager,
    'SELECT report_id FROM favourites WHERE user_id = $1 ORDER BY created_at DESC, report_id',
    userId,
  );

/** Last opened first, at most 200. */
export const listRecentReports = (manager: EntityManager, userId: string): Promise<string[]> =>
  reportIds(
    manager,
    'SELECT report_id FROM recent_reports WHERE user_id = $1 ORDER BY opened_at DESC, report_id LIMIT 200',
    userId,
  );

interface Favourite {
  userId: string;
  reportId: string;
  now: Date;
  max: number;
}

/** Returns false if the user has the maximum of favourites, and this is not one of them. */
export async function addFavourite(
  tx: EntityManager,
  { userId, reportId, now, max }: Favourite,
): Promise<boolean> {
  await execute(
    tx,
    `INSERT INTO favourites (user_id, report_id, created_at)
     SELECT $1, $2, $3 WHERE (SELECT count(*) FROM favourites WHERE user_id = $1) < $4
     ON CONFLICT DO NOTHING`,
    [userId, reportId, now, max],
  );
  const { rowCount } = await execute(tx, 'SELECT FROM favourites WHERE user_id = $1 AND report_id = $2', [
    userId,
    reportId,
  ]);
  return rowCount === 1;
}

export async function removeFavourite(
  manager: EntityManager,
  userId: string,
  reportId: string,
): Promise<void> {
  await execute(manager, 'DELETE FROM favourites WHERE user_id = $1 AND report_id = $2', [userId, reportId]);
}

/** That a user opened a report. */
export interface OpenedReport {
  userId: string;
  reportId: string;
  openedAt: Date;
}

/** Of users who are still active, so that nothing is written after an erasure. The order prevents deadlocks. */
export async function writeOpenedReports(
  manager: EntityManager,
  opened: readonly OpenedReport[],
): Promise<void> {
  await execute(
    manager,
    `INSERT INTO recent_reports AS known (user_id, report_id, opened_at)
     SELECT given.user_id, given.report_id, given.opened_at
     FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS given (user_id, report_id, opened_at)
     WHERE ${isActiveUser('given.user_id')} ORDER BY given.user_id, given.report_id
     ON CONFLICT (user_id, report_id) DO UPDATE SET opened_at = greatest(known.opened_at, excluded.opened_at)`,
    [
      opened.map(({ userId }) => userId),
      opened.map(({ reportId }) => reportId),
      opened.map(({ openedAt }) => openedAt),
    ],
  );
}

export async function deleteOpenedBefore(manager: EntityManager, before: Date): Promise<void> {
  await execute(manager, 'DELETE FROM recent_reports WHERE opened_at < $1', [before]);
}
