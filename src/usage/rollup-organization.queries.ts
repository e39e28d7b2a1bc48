import type { EntityManager } from 'typeorm';
import { execute } from '../core/database/execute.js';
import { sumOfHistograms } from './histogram.js';
import { updates, workspaceColumns } from './rollup.queries.js';

/** All workspaces together, in `usage_workspace_day`. */
export const ALL_WORKSPACES = '00000000-0000-0000-0000-000000000000';

const rollOrganizationSql = `
WITH part AS MATERIALIZED (
  SELECT * FROM usage_workspace_day WHERE day = $1 AND workspace_id <> $2
), failed AS (
  SELECT by_admin, jsonb_object_agg(name, n) AS errors FROM (
    SELECT by_admin, key AS name, sum(value::int) AS n FROM part, jsonb_each_text(errors) GROUP BY by_admin, key) AS counted
  GROUP BY by_admin
), total AS (
  SELECT by_admin, sum(issued_views) AS issued_views, sum(views) AS views, sum(page_views) AS page_views,
    sum(failures) AS failures, sum(visible_ms) AS visible_ms, ${sumOfHistograms('render')} AS render,
    ${sumOfHistograms('load')} AS load
  FROM part GROUP BY by_admin
)
INSERT INTO usage_workspace_day (day, workspace_id, by_admin, ${workspaceColumns.join(', ')})
SELECT $1, $2, by_admin, issued_views, views, page_views, failures, visible_ms, 0, '{}', NULL, NULL, render, load, errors
FROM total LEFT JOIN failed USING (by_admin)
ON CONFLICT (day, workspace_id, by_admin) DO UPDATE SET ${updates(workspaceColumns)}`;

/** Replaces the sum of all workspaces on this day; its people are those of `usage_active_people`. */
export const rollOrganization = (tx: EntityManager, day: string) =>
  execute(tx, rollOrganizationSql, [day, ALL_WORKSPACES], false);

const classes = '(VALUES (false), (true)) AS class (by_admin)';
/** Viewers of admins are those who are not in the other class on that day, so that both add up. */
const viewersOf = `CASE WHEN by_admin THEN cardinality(ARRAY(SELECT unnest(people) EXCEPT SELECT unnest(others)))
  ELSE cardinality(people) END`;

const activePeople = (source: string): string => `
INSERT INTO usage_active_people AS a (period, start, by_admin, viewers, people)
SELECT $1, $2, by_admin, ${viewersOf}, people FROM (
  SELECT by_admin, people, first_value(people) OVER (ORDER BY by_admin) AS others FROM (
    SELECT by_admin, ARRAY(SELECT DISTINCT person FROM (${source}) AS present ORDER BY person) AS people
    FROM ${classes}) AS one) AS two
ON CONFLICT (period, start, by_admin) DO UPDATE SET viewers = excluded.viewers, people = excluded.people
WHERE a.people IS NOT NULL AND (a.people, a.viewers) IS DISTINCT FROM (excluded.people, excluded.viewers)`;

const rollDaySql = activePeople(
  `SELECT unnest(people) AS person FROM usage_workspace_day AS w WHERE day = $2 AND w.by_admin = class.by_admin`,
);
const rollPeriodSql = activePeople(
  `SELECT unnest(people) AS person FROM usage_active_people AS d
   WHERE period = 'day' AND start >= $2 AND start < $2::date + ('1 ' || $1)::interval AND d.by_admin = class.by_admin`,
);

/** Brings the active people of this day, its week and its month up to date. */
export async function rollActivePeople(tx: EntityManager, day: string): Promise<void> {
  const { rowCount } = await execute(tx, rollDaySql, ['day', day]);
  if (rowCount === 0) return;
  for (const period of ['week', 'month']) {
    const { rows } = await execute<{ start: string }>(
      tx,
      'SELECT date_trunc($1, $2::date)::date::text AS start',
      [period, day],
    );
    await execute(tx, rollPeriodSql, [period, rows[0]?.start]);
  }
}
