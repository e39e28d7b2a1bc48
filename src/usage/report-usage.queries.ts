// SQL, because it adds up rollups and counts distinct people.
import type { EntityManager } from 'typeorm';
import { execute, Parameters, queryRows } from '../core/database/execute.js';
import { type Keyset, keysetSql, type SortKeys } from '../core/lists/pagination.js';
import { matchesName } from '../core/lists/name-search.js';
import { type Figures, isSelected, type Selection, sums, within } from './figures.queries.js';
import { p95Bucket, sumOfHistograms } from './histogram.js';
import { distinctPeople, lacksPeople } from './people.queries.js';
import { type Bucket, partsOf, type Period, previousOf } from './period.js';
import { UsageLastView } from './usage.entity.js';
import { coverDays } from './viewers.queries.js';

/** A report that was used in a period. */
export interface UsedReport {
  id: string;
  name: string;
  nameKey: string;
  workspaceId: string;
  workspaceName: string;
  lastViewedAt: Date | null;
  /** The figure that the list is sorted by; 0 in other orders. */
  figure: string;
}

const byFigure = (sql: string) => ({ sql, of: ({ figure }: UsedReport) => figure });

export const reportSortKeys: SortKeys<UsedReport> = {
  name: { sql: 'name_key', of: ({ nameKey }) => nameKey },
  views: byFigure('views'),
  issued_views: byFigure('issued_views'),
  page_views: byFigure('page_views'),
  seconds: byFigure('visible_ms'),
  failures: byFigure('failures'),
  opening: byFigure('slowness'),
  last_viewed_at: { sql: 'last_viewed_at', of: (row) => (row.lastViewedAt ?? new Date(0)).toISOString() },
};

interface ListQuery {
  selection: Selection;
  period: Pick<Period, 'from' | 'to'>;
  q?: string;
  keyset: Keyset;
}

const addedColumns = 'report_id, views, issued_views, page_views, failures, visible_ms';

/** SQL: rows that add up to the figures of the days, with as few rows for each report as possible. */
function additiveRows(
  { from, to }: Pick<Period, 'from' | 'to'>,
  selected: string,
  parameters: Parameters,
  columns = addedColumns,
): string {
  const parts = coverDays({ from, to });
  const among = (of: Bucket): string =>
    `ANY(${parameters.add(parts.flatMap(({ period, start }) => (period === of ? [start] : [])))}::date[])`;
  const sumsOf = (of: Bucket): string =>
    `SELECT ${columns} FROM usage_report_sums WHERE period = '${of}' AND start = ${among(of)} AND ${selected}`;
  return `SELECT ${columns} FROM usage_report_day WHERE day = ${among('day')} AND ${selected}
    UNION ALL ${sumsOf('week')} UNION ALL ${sumsOf('month')}`;
}

/** One page of the reports with a view or an issued token in the period, also of reports that are retired since. */
export function listUsedReports(
  manager: EntityManager,
  { selection, period, q, keyset }: ListQuery,
): Promise<UsedReport[]> {
  const parameters = new Parameters();
  const selected = isSelected(selection, parameters);
  const isSlowest = keyset.key === 'slowness';
  const isNamed = keyset.key === 'name_key' || keyset.key === 'last_viewed_at';
  const { follows, order, limit } = keysetSql(isNamed ? keyset : { ...keyset, key: 'amount' }, parameters);
  const isFound = matchesName(q, 'name_key', parameters);
  // Adding up all histograms takes longer than the rest: only where the order depends on them.
  const amount = isSlowest ? p95Bucket(sumOfHistograms('render')) : isNamed ? '0' : `sum(${keyset.key})`;
  // Before the names are read, where they do not matter: reports are retired, never deleted.
  const chosen = isNamed || q !== undefined ? '' : `WHERE ${follows} ORDER BY ${order} LIMIT ${limit}`;
  const columns = isSlowest ? `${addedColumns}, render` : addedColumns;
  const added = additiveRows(period, selected, parameters, columns);
  return queryRows<UsedReport>(
    manager,
    `WITH used AS (
       SELECT report_id AS id, (${amount})::bigint AS amount FROM (${added}) AS added
       GROUP BY report_id HAVING sum(views) + sum(issued_views) > 0
     ), chosen AS (SELECT * FROM used ${chosen}), named AS (
       SELECT chosen.*, r.name, r.name_key, r.workspace_id, w.name AS workspace_name,
         coalesce(l.last_viewed_at, 'epoch') AS last_viewed_at
       FROM chosen JOIN reports r USING (id) JOIN workspaces w ON w.id = r.workspace_id
         LEFT JOIN usage_last_views l ON l.report_id = chosen.id
     )
     SELECT id, name, name_key AS "nameKey", workspace_id AS "workspaceId", workspace_name AS "workspaceName",
       amount::text AS figure, nullif(last_viewed_at, 'epoch') AS "lastViewedAt"
     FROM named WHERE ${follows} AND ${isFound} ORDER BY ${order} LIMIT ${limit}`,
    parameters.values,
    false,
  );
}

/** The figures of a report in a page of reports. */
export interface ReportDetails extends Figures {
  id: string;
  /** Null where a part of the days no longer contains people. */
  viewers: number | null;
  previousViews: number;
  viewsOverTime: number[];
}

/** Position 0 is the last part of the period. */
type DetailsRow = Omit<ReportDetails, 'viewsOverTime'> & { viewsByPart: Record<string, number> | null };

export async function reportDetails(
  manager: EntityManager,
  ids: readonly string[],
  { excludesAdmins }: Selection,
  period: Pick<Period, 'from' | 'to'>,
): Promise<Map<string, ReportDetails>> {
  const parameters = new Parameters();
  const parts = partsOf(period);
  const selected = `report_id = ANY(${parameters.add(ids)}::uuid[]) AND ${excludesAdmins ? 'NOT by_admin' : 'TRUE'}`;
  const { rows } = await execute<DetailsRow>(
    manager,
    `WITH part AS MATERIALIZED (
       SELECT report_id AS key, day, views, viewers, people, people_from, people_bits FROM usage_report_day
       WHERE ${within(period, parameters)} AND ${selected}
     ), ${distinctPeople('part')}, earlier AS (
       SELECT report_id AS key, sum(views)::int AS views FROM usage_report_day
       WHERE ${within(previousOf(period), parameters)} AND ${selected} GROUP BY report_id
     ), drawn AS (
       SELECT key, jsonb_object_agg(position, views) AS parts FROM (
         SELECT key, (${parameters.add(period.to)}::date - 1 - day) / ${parameters.add(parts.days)}::int AS position,
           sum(views) AS views
         FROM part GROUP BY key, position) AS counted
       GROUP BY key
     ), total AS (
       SELECT report_id AS key, ${sums}, ${sumOfHistograms('render')} AS render, ${sumOfHistograms('load')} AS load
       FROM (${additiveRows(period, selected, parameters, `${addedColumns}, render, load`)}) AS added GROUP BY report_id
     ), incomplete AS (
       SELECT DISTINCT key FROM part WHERE ${lacksPeople}
     )
     SELECT key AS id, total.views, issued_views, page_views, failures, visible_ms, render, load, coalesce(earlier.views, 0) AS "previousViews",
       CASE WHEN key IN (SELECT key FROM incomplete) THEN NULL ELSE coalesce(present.viewers, 0) END AS viewers,
       drawn.parts AS "viewsByPart"
     FROM total LEFT JOIN present USING (key) LEFT JOIN earlier USING (key) LEFT JOIN drawn USING (key)`,
    parameters.values,
    false,
  );
  const positions = Array.from({ length: parts.count }, (_, index) => parts.count - 1 - index);
  return new Map(
    rows.map(({ viewsByPart, ...row }) => [
      row.id,
      { ...row, viewsOverTime: positions.map((position) => viewsByPart?.[position] ?? 0) },
    ]),
  );
}

/** When the report was last opened, or a token for it last issued; null if never. */
export async function lastViewOf(manager: EntityManager, reportId: string): Promise<Date | null> {
  return (await manager.findOneBy(UsageLastView, { reportId }))?.lastViewedAt ?? null;
}

/** The figures of one report on one day. */
export interface ReportDay {
  day: string;
  report_id: string;
  report_name: string;
  workspace_id: string;
  workspace_name: string;
  views: number;
  issued_views: number;
  page_views: number;
  failures: number;
  seconds: number;
  /** Null if no people are stored. */
  viewers: number | null;
}

/** All reports of one day, by id. */
export function reportDays(
  manager: EntityManager,
  day: string,
  excludesAdmins: boolean,
): Promise<ReportDay[]> {
  return queryRows<ReportDay>(
    manager,
    `SELECT day::text, d.report_id, r.name AS report_name, d.workspace_id, w.name AS workspace_name, sum(views)::int AS views,
       sum(issued_views)::int AS issued_views, sum(page_views)::int AS page_views, sum(failures)::int AS failures,
       round(sum(visible_ms) / 1000)::int AS seconds,
       CASE WHEN NOT bool_or(views > 0 AND viewers = 0) THEN sum(viewers)::int END AS viewers
     FROM usage_report_day d LEFT JOIN reports r ON r.id = d.report_id LEFT JOIN workspaces w ON w.id = d.workspace_id
     WHERE day = $1 AND ${excludesAdmins ? 'NOT by_admin' : 'TRUE'}
     GROUP BY day, d.report_id, r.name, d.workspace_id, w.name ORDER BY d.report_id`,
    [day],
  );
}
