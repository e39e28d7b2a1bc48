// SQL, because it adds up rollups and histograms.
import type { EntityManager } from 'typeorm';
import { Parameters, queryRows } from '../core/database/execute.js';
import { hourOf, hoursOf } from '../core/database/local-days.js';
import { issuedByHour } from '../embed/issued-tokens.queries.js';
import { admins } from '../users/users.queries.js';
import { addHistograms, bucketOf, histogramOf, sumOfHistograms } from './histogram.js';
import type { Period } from './period.js';
import { ALL_WORKSPACES } from './rollup.queries.js';

/** Which views are read; all of them without `workspaces` and `reportId`. */
export interface Selection {
  workspaces?: readonly string[];
  reportId?: string;
  excludesAdmins: boolean;
}

/** Additive figures of a day or of an hour. */
export interface Figures {
  views: number;
  issued_views: number;
  page_views: number;
  failures: number;
  visible_ms: number;
  render: number[] | null;
  load: number[] | null;
}

export const noFigures: Figures = {
  views: 0,
  issued_views: 0,
  page_views: 0,
  failures: 0,
  visible_ms: 0,
  render: null,
  load: null,
};

export const addFigures = (a: Figures, b: Figures): Figures => ({
  views: a.views + b.views,
  issued_views: a.issued_views + b.issued_views,
  page_views: a.page_views + b.page_views,
  failures: a.failures + b.failures,
  visible_ms: a.visible_ms + b.visible_ms,
  render: addHistograms(a.render, b.render),
  load: addHistograms(a.load, b.load),
});

/** SQL aggregates of the additive figures in rollup tables. */
export const sums = `sum(views)::int AS views, sum(issued_views)::int AS issued_views, sum(page_views)::int AS page_views,
  sum(failures)::int AS failures, sum(visible_ms)::float8 AS visible_ms`;

export const tableOf = ({ reportId }: Selection): string =>
  reportId === undefined ? 'usage_workspace_day' : 'usage_report_day';

/** The same on figures of days, where all workspaces have rows of their own. */
export const isSelectedDay = (selection: Selection, parameters: Parameters): string => {
  const { workspaces, reportId } = selection;
  const isAll = workspaces === undefined && reportId === undefined;
  return isSelected(isAll ? { ...selection, workspaces: [ALL_WORKSPACES] } : selection, parameters);
};

/** SQL condition on columns that rollups and views have. */
export function isSelected(
  { workspaces, reportId, excludesAdmins }: Selection,
  parameters: Parameters,
): string {
  const conditions = ['TRUE'];
  if (reportId !== undefined) conditions.push(`report_id = ${parameters.add(reportId)}`);
  if (workspaces !== undefined) conditions.push(`workspace_id = ANY(${parameters.add(workspaces)}::uuid[])`);
  if (excludesAdmins) conditions.push('NOT by_admin');
  return conditions.join(' AND ');
}

export type Days = Pick<Period, 'from' | 'to'>;

export const within = ({ from, to }: Days, parameters: Parameters, column = 'day'): string =>
  `${column} >= ${parameters.add(from)}::date AND ${column} < ${parameters.add(to)}::date`;

/** Figures by day; days without any are missing. */
export function dailyFigures(
  manager: EntityManager,
  selection: Selection,
  days: Days,
): Promise<(Figures & { start: string })[]> {
  const parameters = new Parameters();
  return queryRows<Figures & { start: string }>(
    manager,
    `SELECT day::text AS start, ${sums}, ${sumOfHistograms('render')} AS render, ${sumOfHistograms('load')} AS load
     FROM ${tableOf(selection)} WHERE ${within(days, parameters)} AND ${isSelectedDay(selection, parameters)}
     GROUP BY day`,
    parameters.values,
  );
}

/** `viewers` is null where views were recorded without people. */
export type HourlyFigures = Figures & { start: Date; viewers: number | null };

/** Figures of every hour of the period, from single views and issued tokens. */
export function hourlyFigures(
  manager: EntityManager,
  selection: Selection,
  { fromAt, toAt, ...days }: Period,
  zone: string,
): Promise<HourlyFigures[]> {
  const parameters = new Parameters();
  const [from, to, hourZone] = [parameters.add(fromAt), parameters.add(toAt), parameters.add(zone)];
  const [firstDay, lastDay] = [`${parameters.add(days.from)}::date`, `${parameters.add(days.to)}::date`];
  const selected = isSelected(selection, parameters);
  return queryRows<HourlyFigures>(
    manager,
    `SELECT start, coalesce(views, 0) AS views, coalesce(issued_views, 0) AS issued_views, coalesce(page_views, 0) AS page_views,
       coalesce(failures, 0) AS failures, coalesce(visible_ms, 0) AS visible_ms, CASE WHEN views > 0 THEN nullif(viewers, 0) ELSE 0 END AS viewers,
       render, load
     FROM (${hoursOf(firstDay, lastDay, hourZone)}) AS hours
     LEFT JOIN (SELECT ${hourOf('started_at', hourZone)} AS start, count(*)::int AS views,
       sum(page_views)::int AS page_views, sum(failures)::int AS failures, sum(visible_ms)::float8 AS visible_ms,
       count(DISTINCT person)::int AS viewers, ${histogramOf('render_bucket')} AS render, NULL AS load
     FROM (SELECT *, ${bucketOf('render_ms')} AS render_bucket FROM usage_views
       WHERE started_at >= ${from} AND started_at < ${to} AND ${selected}) AS seen
     GROUP BY 1) AS reported USING (start)
     LEFT JOIN (SELECT start, sum(times_issued)::int AS issued_views
       FROM (SELECT *, user_id IN (${admins}) AS by_admin FROM (${issuedByHour(from, to, hourZone)}) AS token) AS issued
       WHERE ${selected} GROUP BY start) AS recorded USING (start) ORDER BY start`,
    parameters.values,
    false,
  );
}

export interface CountedName {
  name: string;
  count: number;
}

/** The most frequent error codes. */
export function countedErrors(
  manager: EntityManager,
  selection: Selection,
  days: Days,
): Promise<CountedName[]> {
  const parameters = new Parameters();
  return queryRows<CountedName>(
    manager,
    `SELECT key AS name, sum(value::int)::int AS count FROM ${tableOf(selection)}, jsonb_each_text(errors)
     WHERE ${within(days, parameters)} AND ${isSelectedDay(selection, parameters)}
     GROUP BY key ORDER BY count DESC, key LIMIT 50`,
    parameters.values,
  );
}

export interface CountedPage {
  page: string;
  /** Its latest display name; null if no browser reported one. */
  name: string | null;
  views: number;
}

/** The most viewed pages of one report. */
export function countedPages(
  manager: EntityManager,
  selection: Selection & { reportId: string },
  days: Days,
): Promise<CountedPage[]> {
  const parameters = new Parameters();
  return queryRows<CountedPage>(
    manager,
    `WITH part AS MATERIALIZED (
       SELECT day, by_admin, pages, page_names FROM usage_report_day
       WHERE ${within(days, parameters)} AND ${isSelected(selection, parameters)} AND pages IS NOT NULL
     ), counted AS (
       SELECT page, sum(n::int)::int AS views FROM part, jsonb_each_text(pages) AS shown (page, n)
       GROUP BY page ORDER BY views DESC, page LIMIT 50
     ), named AS (
       SELECT DISTINCT ON (page) page, name FROM part, jsonb_each_text(page_names) AS named (page, name)
       ORDER BY page, day DESC, by_admin
     )
     SELECT page, name, views FROM counted LEFT JOIN named USING (page) ORDER BY views DESC, page`,
    parameters.values,
  );
}
