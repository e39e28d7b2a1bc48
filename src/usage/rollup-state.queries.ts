import type { EntityManager } from 'typeorm';
import { execute } from '../core/database/execute.js';
import { dayOf, startOfDay } from '../core/database/local-days.js';
import { type ChangedDay, noReported, rollSums } from './rollup.queries.js';

const LOCK = 'usage rollup';

/** One rollup at a time across all replicas, until the transaction ends. Returns false if another one is running. */
export async function lockRollup(tx: EntityManager): Promise<boolean> {
  const { rows } = await execute<{ locked: boolean }>(
    tx,
    'SELECT pg_try_advisory_xact_lock(hashtext($1)) AS locked',
    [LOCK],
  );
  return rows[0]?.locked === true;
}

/** Until the transaction ends, no rollup begins. */
export const waitForRollup = (tx: EntityManager): Promise<unknown> =>
  execute(tx, 'SELECT pg_advisory_xact_lock(hashtext($1))', [LOCK]);

/** Returns the time zone of the stored days, and whether this is the first rollup. */
export async function recordRollup(tx: EntityManager, zone: string, now: Date) {
  const { rows } = await execute<{ zone: string; isFirst: boolean }>(
    tx,
    `INSERT INTO usage_state (id, time_zone, rolled_at) VALUES (true, $1, $2)
     ON CONFLICT (id) DO UPDATE SET rolled_at = excluded.rolled_at
     RETURNING time_zone AS zone, xmax = 0 AS "isFirst"`,
    [zone, now],
  );
  return rows[0] ?? { zone, isFirst: true };
}

/** Those of the days whose single views were removed, at least in part: their figures contain no people. */
async function incompleteDays(tx: EntityManager, days: readonly string[]): Promise<Set<string>> {
  const { rows } = await execute<{ day: string }>(
    tx,
    `SELECT start::text AS day FROM usage_active_people WHERE period = 'day' AND start = ANY($1::date[]) AND people IS NULL`,
    [days],
  );
  return new Set(rows.map(({ day }) => day));
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
 * After a change of the time zone: removes the figures of the days whose single views still exist completely, and notes them
 * as changed. Issued views stay on days whose tokens are no longer stored. Returns the days whose tokens are, and the
 * reports that keep issued views on the others.
 */
export async function resetDays(tx: EntityManager, zone: string, now: Date, tokenHours: number) {
  const { rows } = await execute<{ day: string; hasTokens: boolean }>(
    tx,
    `SELECT day::date::text, day::date > ${dayOf('$2::timestamptz - make_interval(hours => $3)', '$1')} AS "hasTokens"
     FROM generate_series(
       (SELECT ${dayOf('min(started_at)', '$1')} + 1 FROM usage_views)::timestamp, ${dayOf('$2::timestamptz', '$1')}::timestamp,
       interval '1 day') AS day`,
    [zone, now, tokenHours],
  );
  const issuedDays = rows.filter(({ hasTokens }) => hasTokens).map(({ day }) => day);
  await execute(tx, 'UPDATE usage_state SET time_zone = $1', [zone]);
  const first = rows[0]?.day;
  if (first === undefined) return { issuedDays, kept: [] };
  for (const [table, column] of [
    ['usage_workspace_day', 'day'],
    ['usage_report_month', 'month'],
    ['usage_active_people', 'start'],
  ]) {
    await execute(tx, `DELETE FROM ${table} WHERE ${column} >= $1`, [first]);
  }
  await execute(
    tx,
    `DELETE FROM usage_report_day WHERE day >= $1 AND (issued_views = 0 OR day = ANY($2::date[]))`,
    [first, issuedDays],
  );
  const { rows: kept } = await execute<ChangedDay>(
    tx,
    `WITH kept AS (UPDATE usage_report_day SET ${noReported} WHERE day >= $1 RETURNING day, report_id)
     SELECT day::text, array_agg(DISTINCT report_id) AS reports FROM kept GROUP BY day`,
    [first],
  );
  // The days before the first one stay in the sums of its week and month.
  await execute(tx, 'DELETE FROM usage_report_sums WHERE start >= date_trunc(period, $1::date)', [first]);
  await rollSums(tx, { day: first });
  await execute(
    tx,
    `INSERT INTO usage_changes (at, report_id, noted_at)
     SELECT min(started_at), report_id, $3 FROM usage_views WHERE started_at >= ${startOfDay('$1::date', '$2')}
     GROUP BY report_id, ${dayOf('started_at', '$2')}`,
    [first, zone, now],
  );
  return { issuedDays, kept };
}

/** The days that overlap the last `hours`. */
export async function openDays(tx: EntityManager, zone: string, now: Date, hours: number): Promise<string[]> {
  const { rows } = await execute<{ day: string }>(
    tx,
    `SELECT day::date::text FROM generate_series(
       ${dayOf('$2::timestamptz - make_interval(hours => $3)', '$1')}::timestamp,
       ${dayOf('$2::timestamptz', '$1')}::timestamp, interval '1 day') AS day`,
    [zone, now, hours],
  );
  return rows.map(({ day }) => day);
}

/** When the oldest change was noted that no rollup has taken. */
export async function oldestChange(manager: EntityManager): Promise<Date | null> {
  const { rows } = await execute<{ at: Date }>(
    manager,
    'SELECT noted_at AS at FROM usage_changes ORDER BY id LIMIT 1',
    [],
  );
  return rows[0]?.at ?? null;
}
