import type { EntityManager } from 'typeorm';
import { execute, Parameters } from '../core/database/execute.js';
import { keysetSql } from '../core/lists/keyset.js';
import { NameSearch } from '../core/lists/name-search.js';
import type { Keyset, SortKeys } from '../core/lists/pagination.js';
import { type Figures, isSelected, type Selection, sums } from './figures.queries.js';
import { p95Bucket, sumOfHistograms } from './histogram.js';
import { partsOf, type Period, previousOf } from './period.js';

/** A report with figures of a period. */
export interface ReportUsageRow extends Figures {
  id: string;
  name: string;
  nameKey: string;
  workspaceId: string;
  lastViewedAt: Date | null;
  slowness: number;
}

export const reportSortKeys: SortKeys<ReportUsageRow> = {
  name: { sql: 'name_key', of: ({ nameKey }) => nameKey },
  views: { sql: 'views', of: ({ views }) => String(views) },
  issued_views: { sql: 'issued_views', of: (row) => String(row.issued_views) },
  page_views: { sql: 'page_views', of: (row) => String(row.page_views) },
  seconds: { sql: 'visible_ms', of: (row) => String(row.visible_ms) },
  failures: { sql: 'failures', of: ({ failures }) => String(failures) },
  opening: { sql: 'slowness', of: ({ slowness }) => String(slowness) },
  last_viewed_at: { sql: 'last_viewed_at', of: (row) => (row.lastViewedAt ?? new Date(0)).toISOString() },
};

interface ListQuery {
  selection: Selection;
  period: Pick<Period, 'from' | 'to'>;
  q?: string;
  keyset: Keyset;
}

/** One page of the reports with a view or an issued token in the period, also of reports that are retired since. */
export async function listReportUsage(
  manager: EntityManager,
  { selection, period, q, keyset }: ListQuery,
): Promise<Omit<ReportUsageRow, 'render' | 'load'>[]> {
  const parameters = new Parameters();
  const days = `day >= ${parameters.add(period.from)}::date AND day < ${parameters.add(period.to)}::date`;
  const selected = isSelected(selection, parameters);
  const { follows, order, limit } = keysetSql(keyset, parameters);
  const search = q === undefined ? undefined : new NameSearch(q);
  const isFound = search?.matches('name_key', parameters.add(search.value)) ?? 'TRUE';
  // Adding up all histograms takes longer than the rest: only where the order depends on them.
  const slowness = keyset.key === 'slowness' ? p95Bucket(sumOfHistograms('render')) : '0';
  const { rows } = await execute<Omit<ReportUsageRow, 'render' | 'load'>>(
    manager,
    `WITH figure AS (
       SELECT report_id AS id, ${sums}, (${slowness})::int AS slowness FROM usage_report_day
       WHERE ${days} AND ${selected} GROUP BY report_id HAVING sum(views) + sum(issued_views) > 0
     ), named AS (
       SELECT figure.*, r.name, r.name_key, r.workspace_id, coalesce(l.last_viewed_at, 'epoch') AS last_viewed_at
       FROM figure JOIN reports r USING (id) LEFT JOIN usage_last_views l ON l.report_id = id
     )
     SELECT id, name, name_key AS "nameKey", workspace_id AS "workspaceId", views, issued_views, page_views, failures, visible_ms,
       slowness, nullif(last_viewed_at, 'epoch') AS "lastViewedAt"
     FROM named WHERE ${follows} AND ${isFound} ORDER BY ${order} LIMIT ${limit}`,
    parameters.values,
    false,
  );
  return rows;
}

/** What a page of reports shows besides its additive figures. */
export interface ReportDetails {
  id: string;
  /** Null where a part of the days no longer contains people. */
  viewers: number | null;
  render: number[] | null;
  load: number[] | null;
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
  const [from, to] = [parameters.add(period.from), parameters.add(period.to)];
  const isWithin = `day >= ${from}::date`;
  const parts = partsOf(period);
  const { rows } = await execute<DetailsRow>(
    manager,
    `WITH part AS MATERIALIZED (
       SELECT report_id AS id, day, views, viewers, people, render, load FROM usage_report_day
       WHERE report_id = ANY(${parameters.add(ids)}::uuid[]) AND day >= ${parameters.add(previousOf(period).from)}::date
         AND day < ${to}::date AND ${excludesAdmins ? 'NOT by_admin' : 'TRUE'}
     ), present AS (
       SELECT id, count(DISTINCT person)::int AS viewers FROM part, unnest(people) AS person WHERE ${isWithin} GROUP BY id
     ), drawn AS (
       SELECT id, jsonb_object_agg(position, views) AS parts FROM (
         SELECT id, (${to}::date - 1 - day) / ${parameters.add(parts.days)}::int AS position, sum(views) AS views
         FROM part WHERE ${isWithin} GROUP BY id, position) AS counted
       GROUP BY id
     )
     SELECT part.id, ${sumOfHistograms('render')} AS render, ${sumOfHistograms('load')} AS load,
       (coalesce(sum(views), 0) - coalesce(sum(views) FILTER (WHERE ${isWithin}), 0))::int AS "previousViews",
       CASE WHEN bool_or(people IS NULL AND part.viewers > 0) FILTER (WHERE ${isWithin}) THEN NULL
         ELSE coalesce(min(present.viewers), 0) END AS viewers,
       drawn.parts AS "viewsByPart"
     FROM (SELECT id, day, views, viewers, people, CASE WHEN ${isWithin} THEN render END AS render,
         CASE WHEN ${isWithin} THEN load END AS load FROM part) AS part
     LEFT JOIN present ON present.id = part.id LEFT JOIN drawn ON drawn.id = part.id GROUP BY part.id, drawn.parts`,
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
  const { rows } = await execute<{ at: Date }>(
    manager,
    'SELECT last_viewed_at AS at FROM usage_last_views WHERE report_id = $1',
    [reportId],
  );
  return rows[0]?.at ?? null;
}

/** The figures of one report on one day. */
export interface ReportDay {
  day: string;
  report_id: string;
  report_name: string;
  workspace_id: string;
  views: number;
  issued_views: number;
  page_views: number;
  failures: number;
  seconds: number;
  viewers: number;
}

/** All reports of one day, by id. */
export async function reportDays(
  manager: EntityManager,
  day: string,
  excludesAdmins: boolean,
): Promise<ReportDay[]> {
  const { rows } = await execute<ReportDay>(
    manager,
    `SELECT day::text, d.report_id, r.name AS report_name, d.workspace_id, sum(views)::int AS views,
       sum(issued_views)::int AS issued_views, sum(page_views)::int AS page_views, sum(failures)::int AS failures,
       round(sum(visible_ms) / 1000)::int AS seconds, sum(viewers)::int AS viewers
     FROM usage_report_day d LEFT JOIN reports r ON r.id = d.report_id
     WHERE day = $1 AND ${excludesAdmins ? 'NOT by_admin' : 'TRUE'}
     GROUP BY day, d.report_id, r.name, d.workspace_id ORDER BY d.report_id`,
    [day],
  );
  return rows;
}
