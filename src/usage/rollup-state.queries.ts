// SQL, because PostgreSQL computes days in the time zone, and changes are taken as a set.
import { And, Any, type EntityManager, IsNull, MoreThanOrEqual, Raw } from 'typeorm';
import { execute } from '../core/database/execute.js';
import { dayOf, startOfDay } from '../core/database/local-days.js';
import { lockName, tryLockName } from '../core/database/locks.js';
import { type ChangedDay, noReported, rollActivePeople, rollMonths, rollSums } from './rollup.queries.js';
import {
  UsageActivePeople,
  UsageChange,
  UsageReportDay,
  UsageReportMonth,
  UsageReportSums,
  UsageState,
  UsageWorkspaceDay,
} from './usage.entity.js';

const LOCK = 'usage rollup';

/** One rollup at a time across all replicas, until the transaction ends. Returns false if another one is running. */
export const lockRollup = (tx: EntityManager): Promise<boolean> => tryLockName(tx, LOCK);

/** Until the transaction ends, no rollup begins. */
export const waitForRollup = (tx: EntityManager): Promise<unknown> => lockName(tx, LOCK);

/** Returns the time zone of the stored days, and whether this is the first rollup. */
export async function recordRollup(tx: EntityManager, zone: string, now: Date) {
  const { raw } = await tx
    .createQueryBuilder()
    .insert()
    .into(UsageState)
    .values({ id: true, timeZone: zone, rolledAt: now })
    .orUpdate(['rolled_at'], ['id'])
    .returning('time_zone AS zone, xmax = 0 AS "isFirst"')
    .execute();
  return (raw as [{ zone: string; isFirst: boolean }])[0];
}

/** Those of the days whose single views were removed, at least in part: their figures contain no people. */
async function incompleteDays(tx: EntityManager, days: readonly string[]): Promise<Set<string>> {
  const found = await tx.find(UsageActivePeople, {
    where: { period: 'day', start: Any([...days]), people: IsNull() },
    select: { period: true, start: true, byAdmin: true },
  });
  return new Set(found.map(({ start }) => start));
}

/**
 * Takes the oldest changes. Changes of days without all of their single views have no effect. A view that is written
 * meanwhile notes a change of its own, which this statement does not see and therefore does not delete.
 */
export async function takeChanges(tx: EntityManager, zone: string, limit: number) {
  const { rows } = await execute<ChangedDay & { taken: number }>(
    tx,
    `WITH taken AS (
       DELETE FROM usage_changes WHERE id IN (SELECT id FROM usage_changes ORDER BY id LIMIT $2)
       RETURNING ${dayOf('at', '$1')} AS day, report_id)
     SELECT day::text, array_agg(DISTINCT report_id) AS reports, count(*)::int AS taken FROM taken GROUP BY day`,
    [zone, limit],
  );
  const incomplete = await incompleteDays(
    tx,
    rows.map(({ day }) => day),
  );
  return {
    days: rows.filter(({ day }) => !incomplete.has(day)),
    taken: rows.reduce((sum, { taken }) => sum + taken, 0),
  };
}

/**
 * SQL expression: the first day of another time zone whose single views still exist completely. As long as none are removed, that is
 * every day: of two time zones, one is at most 26 hours ahead.
 */
const firstComplete = `coalesce(
  (SELECT max(start) + 1 FROM usage_active_people WHERE period = 'day' AND people IS NULL),
  (SELECT min(day) - 2 FROM usage_report_day))`;

/**
 * After a change of the time zone: removes the figures of the days whose single views still exist completely, and notes them
 * as changed. Issued views stay on days whose tokens are no longer stored. Returns the days whose tokens are, and the
 * reports that keep issued views on the others.
 */
export async function resetDays(tx: EntityManager, zone: string, now: Date, tokenHours: number) {
  const { rows } = await execute<{ day: string; hasTokens: boolean }>(
    tx,
    `SELECT day::date::text, day::date > ${dayOf('$2::timestamptz - make_interval(hours => $3)', '$1')} AS "hasTokens"
     FROM generate_series(${firstComplete}::timestamp, ${dayOf('$2::timestamptz', '$1')}::timestamp, interval '1 day') AS day`,
    [zone, now, tokenHours],
  );
  const issuedDays = rows.filter(({ hasTokens }) => hasTokens).map(({ day }) => day);
  await tx.update(UsageState, { id: true }, { timeZone: zone });
  const first = rows[0]?.day;
  if (first === undefined) return { issuedDays, kept: [] };
  const since = MoreThanOrEqual(first);
  await tx.delete(UsageWorkspaceDay, { day: since });
  await tx.delete(UsageReportMonth, { month: since });
  await tx.delete(UsageActivePeople, { start: since });
  const withTokens = And(since, Any(issuedDays));
  await tx.delete(UsageReportDay, [{ day: since, issuedViews: 0 }, { day: withTokens }]);
  const { rows: kept } = await execute<ChangedDay>(
    tx,
    `WITH kept AS (UPDATE usage_report_day SET ${noReported} WHERE day >= $1 RETURNING day, report_id)
     SELECT day::text, array_agg(DISTINCT report_id) AS reports FROM kept GROUP BY day`,
    [first],
  );
  // The days before the first one stay in the figures of its week and month.
  await tx.delete(UsageReportSums, {
    start: Raw((start) => `${start} >= date_trunc(period, :first::date)`, { first }),
  });
  await rollSums(tx, { day: first });
  await removeEmptyMonth(tx, first);
  await rollMonths(tx, { day: first });
  await rollActivePeople(tx, first);
  await execute(
    tx,
    `INSERT INTO usage_changes (at, report_id, noted_at)
     SELECT min(started_at), report_id, $3 FROM usage_views WHERE started_at >= ${startOfDay('$1::date', '$2')}
     GROUP BY report_id, ${dayOf('started_at', '$2')}`,
    [first, zone, now],
  );
  return { issuedDays, kept };
}

/** Removes the reports without a day from the month of this day. Others may have viewers whose people are removed. */
const removeEmptyMonth = (tx: EntityManager, day: string): Promise<unknown> =>
  execute(
    tx,
    `DELETE FROM usage_report_month AS m WHERE month = date_trunc('month', $1::date) AND NOT EXISTS (
       SELECT FROM usage_report_day AS d WHERE d.report_id = m.report_id AND d.by_admin = m.by_admin AND d.day >= m.month
         AND d.day < m.month + interval '1 month')`,
    [day],
  );

/** Tokens are kept at least as if they lived so long: `IssuedTokensService.removeOld`. */
const TOKEN_LIFE_HOURS = 1;

/**
 * The days that overlap the last `hours`, and those since the last day with issued views, because the rollups since then may
 * have failed. Only days of which no token is removed yet: that is `maxHours` after the end of a token.
 */
export async function openDays(
  tx: EntityManager,
  zone: string,
  now: Date,
  { hours, maxHours }: { hours: number; maxHours: number },
): Promise<string[]> {
  const daysAgo = (given: string): string =>
    dayOf(`$2::timestamptz - make_interval(hours => ${given})`, '$1');
  const { rows } = await execute<{ day: string }>(
    tx,
    `SELECT day::date::text FROM generate_series(
       greatest(
         least(${daysAgo('$3')},
           coalesce((SELECT max(day) - $5::int FROM usage_report_day WHERE issued_views > 0), ${daysAgo('0')})),
         least(${daysAgo('$4')} + 1, ${daysAgo('0')}))::timestamp,
       ${daysAgo('0')}::timestamp, interval '1 day') AS day`,
    // A token of the day before may have been returned again on that day. Before a read, that is left to the job.
    [zone, now, hours, maxHours + TOKEN_LIFE_HOURS, hours > 0 ? 1 : 0],
  );
  return rows.map(({ day }) => day);
}

/** When the oldest change was noted that no rollup has taken. */
export async function oldestChange(manager: EntityManager): Promise<Date | null> {
  const [oldest] = await manager.find(UsageChange, { order: { id: 'ASC' }, take: 1 });
  return oldest?.notedAt ?? null;
}
