// SQL, because rollups are set statements.
import type { EntityManager } from 'typeorm';
import { execute } from '../core/database/execute.js';
import { issuedByReport } from '../embed/issued-tokens.queries.js';
import { admins } from '../users/users.queries.js';
import { bucketOf, histogramOf, sumOfHistograms } from './histogram.js';
import { nextDay, startOfDay } from '../core/database/local-days.js';
import { bitsOf } from './people.queries.js';

/** More pages or codes of one report and day than this are not listed: clients choose their names. */
const MAX_NAMES = 100;

/** A day and the reports whose views changed on it. */
export interface ChangedDay {
  day: string;
  reports: string[];
}

/** SQL: counts of the values of an array column by report and class, as a JSON object. */
const countsOf = (column: string): string => `
  SELECT report_id, by_admin, jsonb_object_agg(name, n) AS ${column} FROM (
    SELECT report_id, by_admin, name, count(*) AS n,
      row_number() OVER (PARTITION BY report_id, by_admin ORDER BY count(*) DESC, name) AS rank
    FROM seen, unnest(${column}) AS name GROUP BY report_id, by_admin, name) AS counted
  WHERE rank <= ${MAX_NAMES} GROUP BY report_id, by_admin`;

/** SQL: the name that most people saw for each page of a report, so that one of them cannot choose it. */
const pageNames = `
  SELECT report_id, by_admin, jsonb_object_agg(page, name) AS page_names FROM (
    SELECT DISTINCT ON (report_id, by_admin, page) report_id, by_admin, page, name
    FROM seen, jsonb_each_text(page_names) AS named (page, name) GROUP BY report_id, by_admin, page, name
    ORDER BY report_id, by_admin, page, count(DISTINCT person) DESC, count(*) DESC, max(started_at) DESC) AS chosen
  GROUP BY report_id, by_admin`;

/** SQL expression: the names of the pages that are counted. */
const countedPageNames =
  '(SELECT jsonb_object_agg(page, name) FROM jsonb_each(page_names) AS named (page, name) WHERE pages ? page)';

const reported = [
  'views',
  'page_views',
  'failures',
  'visible_ms',
  'viewers',
  'people',
  'people_from',
  'people_bits',
  'render',
  'load',
  'errors',
];
const dailyColumns = [...reported, 'pages', 'page_names'];

export const updates = (columns: readonly string[]): string =>
  columns.map((column) => `${column} = excluded.${column}`).join(', ');

/** SQL assignments: the columns of a day without views. */
export const noReported = `views = 0, page_views = 0, failures = 0, visible_ms = 0, viewers = 0, people = '{}', people_from = NULL,
  people_bits = NULL, render = NULL, load = NULL, errors = NULL, pages = NULL, page_names = NULL`;

/**
 * SQL condition. PostgreSQL assumes one row for a day that is new since its last statistics, and would join it row by row:
 * `NOT IN` is a hash table instead, as a full join is below.
 */
const isNotFresh = '(d.report_id, d.by_admin) NOT IN (SELECT report_id, by_admin FROM fresh)';

/** SQL: CTE that moves the time of the last view of each fresh report forward. */
const latest = `latest AS (
  INSERT INTO usage_last_views (report_id, last_viewed_at) SELECT report_id, max(last) FROM fresh GROUP BY report_id
  ON CONFLICT (report_id) DO UPDATE SET last_viewed_at = excluded.last_viewed_at
  WHERE usage_last_views.last_viewed_at < excluded.last_viewed_at
)`;

const rollReportsSql = `
WITH seen AS MATERIALIZED (
  SELECT *, ${bucketOf('render_ms')} AS render_bucket, ${bucketOf('load_ms')} AS load_bucket FROM usage_views
  WHERE started_at >= ${startOfDay('$1::date', '$2')} AND started_at < ${nextDay('$1::date', '$2')}
    AND report_id = ANY($3::uuid[])
), fresh AS MATERIALIZED (
  SELECT report_id, by_admin, (array_agg(workspace_id))[1] AS workspace_id, count(*) AS views,
    sum(page_views) AS page_views, sum(failures) AS failures, sum(visible_ms) AS visible_ms,
    coalesce(array_agg(DISTINCT person ORDER BY person) FILTER (WHERE person IS NOT NULL), '{}') AS people,
    ${histogramOf('render_bucket')} AS render, ${histogramOf('load_bucket')} AS load, max(started_at) AS last
  FROM seen GROUP BY report_id, by_admin
), gone AS (
  UPDATE usage_report_day AS d SET ${noReported}
  WHERE day = $1 AND report_id = ANY($3::uuid[]) AND views > 0
    AND ${isNotFresh}
), ${latest}
INSERT INTO usage_report_day (day, report_id, by_admin, workspace_id, ${dailyColumns.join(', ')})
SELECT $1, report_id, by_admin, workspace_id, views, page_views, failures, visible_ms, cardinality(people), people,
  ${bitsOf('people')}, render, load, errors, pages, ${countedPageNames}
FROM fresh FULL JOIN (${countsOf('errors')}) AS e USING (report_id, by_admin)
  FULL JOIN (${countsOf('pages')}) AS p USING (report_id, by_admin)
  FULL JOIN (${pageNames}) AS n USING (report_id, by_admin)
ON CONFLICT (day, report_id, by_admin) DO UPDATE SET ${updates(dailyColumns)}`;

/** Replaces the figures of these reports on this day. */
export const rollReports = (tx: EntityManager, zone: string, { day, reports }: ChangedDay) =>
  execute(tx, rollReportsSql, [day, zone, reports], false);

const rollIssuedSql = `
WITH fresh AS MATERIALIZED (
  SELECT report_id, (array_agg(workspace_id))[1] AS workspace_id, user_id IN (${admins}) AS by_admin,
    sum(times_issued) AS issued_views, max(last_issued_at) AS last
  FROM (${issuedByReport(startOfDay('$1::date', '$2'), nextDay('$1::date', '$2'))}) AS issued GROUP BY report_id, by_admin
), gone AS (
  UPDATE usage_report_day AS d SET issued_views = 0 WHERE day = $1 AND issued_views > 0
    AND ${isNotFresh}
  RETURNING report_id
), ${latest}, changed AS (
  INSERT INTO usage_report_day AS d (day, report_id, by_admin, workspace_id, issued_views)
  SELECT $1, report_id, by_admin, workspace_id, issued_views FROM fresh
  ON CONFLICT (day, report_id, by_admin) DO UPDATE SET issued_views = excluded.issued_views
  WHERE d.issued_views <> excluded.issued_views
  RETURNING report_id
)
SELECT report_id AS id FROM changed UNION SELECT report_id FROM gone`;

/** Brings the issued views of this day up to date. Returns the reports whose number changed. */
export async function rollIssued(tx: EntityManager, zone: string, day: string): Promise<string[]> {
  const { rows } = await execute<{ id: string }>(tx, rollIssuedSql, [day, zone], false);
  return rows.map(({ id }) => id);
}

export const workspaceColumns = ['issued_views', ...reported];

/** SQL: CTEs with the failures and the other figures of `part` by these columns. */
const sumsBy = (keys: string): string => `failed AS (
  SELECT ${keys}, jsonb_object_agg(name, n) AS errors FROM (
    SELECT ${keys}, key AS name, sum(value::int) AS n FROM part, jsonb_each_text(errors)
    GROUP BY ${keys}, key) AS counted
  GROUP BY ${keys}
), total AS (
  SELECT ${keys}, sum(issued_views) AS issued_views, sum(views) AS views, sum(page_views) AS page_views,
    sum(failures) AS failures, sum(visible_ms) AS visible_ms, ${sumOfHistograms('render')} AS render,
    ${sumOfHistograms('load')} AS load
  FROM part GROUP BY ${keys}
)`;

const rollWorkspacesSql = `
WITH touched AS MATERIALIZED (
  SELECT DISTINCT workspace_id FROM usage_report_day WHERE day = $1 AND report_id = ANY($2::uuid[])
), part AS MATERIALIZED (
  SELECT * FROM usage_report_day WHERE day = $1 AND workspace_id = ANY(ARRAY(SELECT workspace_id FROM touched))
), present AS (
  SELECT workspace_id, by_admin, array_agg(DISTINCT person ORDER BY person) AS people FROM part, unnest(people) AS person
  GROUP BY workspace_id, by_admin
), ${sumsBy('workspace_id, by_admin')}
INSERT INTO usage_workspace_day (day, workspace_id, by_admin, ${workspaceColumns.join(', ')})
SELECT $1, workspace_id, by_admin, issued_views, views, page_views, failures, visible_ms, coalesce(cardinality(people), 0),
  coalesce(people, '{}'), ${bitsOf('people')}, render, load, errors
FROM total FULL JOIN present USING (workspace_id, by_admin) FULL JOIN failed USING (workspace_id, by_admin)
ON CONFLICT (day, workspace_id, by_admin) DO UPDATE SET ${updates(workspaceColumns)}`;

/** Replaces the figures of the workspaces of these reports on this day, from those of their reports. */
export const rollWorkspaces = (tx: EntityManager, { day, reports }: ChangedDay) =>
  execute(tx, rollWorkspacesSql, [day, reports], false);

const rollMonthsSql = `
WITH present AS (
  SELECT report_id, by_admin, count(DISTINCT person) AS viewers FROM usage_report_day, unnest(people) AS person
  WHERE ($2::uuid[] IS NULL OR report_id = ANY($2)) AND day >= date_trunc('month', $1::date)
    AND day < date_trunc('month', $1::date) + interval '1 month' GROUP BY report_id, by_admin
)
INSERT INTO usage_report_month AS m (month, report_id, by_admin, workspace_id, views, viewers)
SELECT date_trunc('month', $1::date), report_id, by_admin, (array_agg(workspace_id))[1], sum(views),
  coalesce(min(present.viewers), 0)
FROM usage_report_day LEFT JOIN present USING (report_id, by_admin)
WHERE ($2::uuid[] IS NULL OR report_id = ANY($2)) AND day >= date_trunc('month', $1::date)
  AND day < date_trunc('month', $1::date) + interval '1 month' GROUP BY report_id, by_admin
ON CONFLICT (month, report_id, by_admin) DO UPDATE SET views = excluded.views, viewers = CASE
  WHEN EXISTS (SELECT FROM usage_report_day AS d WHERE d.report_id = m.report_id AND d.by_admin = m.by_admin AND d.day >= m.month
    AND d.day < m.month + interval '1 month' AND d.people IS NULL AND d.viewers > 0) THEN m.viewers ELSE excluded.viewers END`;

/** A day, and the reports that are computed; all of them without `reports`. */
type RolledDay = Pick<ChangedDay, 'day'> & Partial<ChangedDay>;

/** Replaces the figures of these reports in the month of this day, from those of its days. */
export const rollMonths = (tx: EntityManager, { day, reports }: RolledDay) =>
  execute(tx, rollMonthsSql, [day, reports ?? null], false);

const addedColumns = ['views', 'issued_views', 'page_views', 'failures', 'visible_ms'];
const sumColumns = [...addedColumns, 'render', 'load'];
const rollSumsSql = `
INSERT INTO usage_report_sums AS s (period, start, report_id, by_admin, workspace_id, ${sumColumns.join(', ')})
SELECT period, start, report_id, by_admin, (array_agg(workspace_id))[1], ${addedColumns.map((column) => `sum(${column})`).join(', ')},
  ${sumOfHistograms('render')}, ${sumOfHistograms('load')}
FROM (
  SELECT period, date_trunc(period, $1::date)::date AS start, (date_trunc(period, $1::date) + ('1 ' || period)::interval)::date AS past
  FROM unnest(ARRAY['week', 'month']) AS period) AS span
JOIN usage_report_day ON day >= start AND day < past AND ($2::uuid[] IS NULL OR report_id = ANY($2))
GROUP BY period, start, report_id, by_admin
ON CONFLICT (period, start, report_id, by_admin) DO UPDATE SET ${updates(sumColumns)}`;

/** Replaces the sums of these reports in the week and month of this day, from those of its days. */
export const rollSums = (tx: EntityManager, { day, reports }: RolledDay) =>
  execute(tx, rollSumsSql, [day, reports ?? null], false);

/** All workspaces together, in `usage_workspace_day`. */
export const ALL_WORKSPACES = '00000000-0000-0000-0000-000000000000';

const rollOrganizationSql = `
WITH part AS MATERIALIZED (
  SELECT * FROM usage_workspace_day WHERE day = $1 AND workspace_id <> $2
), ${sumsBy('by_admin')}
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

const activePeople = (source: string, start = '$2'): string => `
INSERT INTO usage_active_people AS a (period, start, by_admin, viewers, people)
SELECT $1, ${start}::date, by_admin, ${viewersOf}, people FROM (
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
   WHERE period = 'day' AND start >= date_trunc($1, $2::timestamp) AND start < date_trunc($1, $2::timestamp) + ('1 ' || $1)::interval
     AND d.by_admin = class.by_admin`,
  'date_trunc($1, $2::timestamp)',
);

/** Brings the active people of this day, its week and its month up to date. */
export async function rollActivePeople(tx: EntityManager, day: string): Promise<void> {
  const { rowCount } = await execute(tx, rollDaySql, ['day', day]);
  if (rowCount === 0) return;
  for (const period of ['week', 'month']) await execute(tx, rollPeriodSql, [period, day]);
}
