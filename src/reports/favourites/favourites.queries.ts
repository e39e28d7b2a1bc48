// SQL, because a favourite is inserted up to a limit, and opened reports as a set.
import { type EntityManager, LessThan } from 'typeorm';
import { execute } from '../../core/database/execute.js';
import { isActiveUser } from '../../users/users.queries.js';
import { Favourite, RecentReport } from './favourite.entity.js';

/** Newest first. */
export const listFavourites = (manager: EntityManager, userId: string): Promise<string[]> =>
  reportIds(manager.find(Favourite, { where: { userId }, order: { createdAt: 'DESC', reportId: 'ASC' } }));

/** Last opened first, at most 200. */
export const listRecentReports = (manager: EntityManager, userId: string): Promise<string[]> =>
  reportIds(
    manager.find(RecentReport, {
      where: { userId },
      order: { openedAt: 'DESC', reportId: 'ASC' },
      take: 200,
    }),
  );

const reportIds = async (rows: Promise<{ reportId: string }[]>): Promise<string[]> =>
  (await rows).map(({ reportId }) => reportId);

interface NewFavourite {
  userId: string;
  reportId: string;
  now: Date;
  max: number;
}

/** Returns false if the user has the maximum of favourites, and this is not one of them. */
export async function addFavourite(
  tx: EntityManager,
  { userId, reportId, now, max }: NewFavourite,
): Promise<boolean> {
  await execute(
    tx,
    `INSERT INTO favourites (user_id, report_id, created_at)
     SELECT $1, $2, $3 WHERE (SELECT count(*) FROM favourites WHERE user_id = $1) < $4
     ON CONFLICT DO NOTHING`,
    [userId, reportId, now, max],
  );
  return tx.existsBy(Favourite, { userId, reportId });
}

export async function removeFavourite(
  manager: EntityManager,
  userId: string,
  reportId: string,
): Promise<void> {
  await manager.delete(Favourite, { userId, reportId });
}

/** Of users who are still active, so that nothing is written after an erasure. The order prevents deadlocks. */
export async function writeOpenedReports(
  manager: EntityManager,
  opened: readonly RecentReport[],
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
  await manager.delete(RecentReport, { openedAt: LessThan(before) });
}
