// SQL, because it counts distinct people in rollups.
import type { EntityManager } from 'typeorm';
import { Parameters, queryRows } from '../core/database/execute.js';
import { type Keyset, keysetSql, type SortKeys } from '../core/lists/pagination.js';
import { matchesName } from '../core/lists/name-search.js';
import { type Days, type Selection, within } from './figures.queries.js';
import { distinctPeople, lacksPeople } from './people.queries.js';
import { type Period, previousOf } from './period.js';

/** A report that was not opened for some time. */
export interface UnusedReport {
  id: string;
  name: string;
  nameKey: string;
  workspaceId: string;
  workspaceName: string;
  /** Null if it was never opened since figures are recorded. */
  lastViewedAt: Date | null;
}

export const unusedSortKeys: SortKeys<UnusedReport> = {
  name: { sql: 'name_key', of: ({ nameKey }) => nameKey },
  last_viewed_at: { sql: 'last_viewed_at', of: (row) => (row.lastViewedAt ?? new Date(0)).toISOString() },
};

interface ListQuery {
  workspaces?: readonly string[];
  before: Date;
  keyset: Keyset;
}

/** UUIDs of version 7 begin with their time: reports that were synced first before this time have smaller ids. */
function firstIdOf(time: Date): string {
  const digits = time.getTime().toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}

/** One page of the reports that exist and were not opened since `before`, without retired ones. */
export function listUnused(
  manager: EntityManager,
  { workspaces, before, keyset }: ListQuery,
): Promise<UnusedReport[]> {
  const parameters = new Parameters();
  const [time, firstId] = [parameters.add(before), parameters.add(firstIdOf(before))];
  const inScope =
    workspaces === undefined ? 'TRUE' : `r.workspace_id = ANY(${parameters.add(workspaces)}::uuid[])`;
  const { follows, order, limit } = keysetSql(keyset, parameters);
  return queryRows<UnusedReport>(
    manager,
    `WITH unused AS (
       SELECT r.id, r.name, r.name_key, r.workspace_id, coalesce(l.last_viewed_at, 'epoch') AS last_viewed_at
       FROM reports r LEFT JOIN usage_last_views l ON l.report_id = r.id
       WHERE r.retired_at IS NULL AND ${inScope}
         AND (l.last_viewed_at < ${time} OR (l.last_viewed_at IS NULL AND r.id < ${firstId}))
     ), page AS (SELECT * FROM unused WHERE ${follows} ORDER BY ${order} LIMIT ${limit})
     SELECT page.id, page.name, page.name_key AS "nameKey", workspace_id AS "workspaceId", w.name AS "workspaceName",
       nullif(last_viewed_at, 'epoch') AS "lastViewedAt"
     FROM page JOIN workspaces w ON w.id = workspace_id ORDER BY page.${order.replaceAll(', id', ', page.id')}`,
    parameters.values,
    false,
  );
}

/** A workspace with the figures of a period that a list can be sorted by, also without any. */
export interface UsedWorkspace {
  id: string;
  name: string;
  nameKey: string;
  views: number;
  visible_ms: number;
}

export const workspaceSortKeys: SortKeys<UsedWorkspace> = {
  name: { sql: 'name_key', of: ({ nameKey }) => nameKey },
  views: { sql: 'views', of: ({ views }) => String(views) },
  seconds: { sql: 'visible_ms', of: ({ visible_ms }) => String(visible_ms) },
};

interface WorkspacesQuery {
  selection: Selection;
  period: Pick<Period, 'from' | 'to'>;
  q?: string;
  keyset: Keyset;
}

const daysOfWorkspaces = (
  columns: string,
  days: Days,
  { excludesAdmins }: Selection,
  parameters: Parameters,
): string =>
  `SELECT ${columns} FROM usage_workspace_day
   WHERE ${within(days, parameters)} AND ${excludesAdmins ? 'NOT by_admin' : 'TRUE'}`;

/** One page of the workspaces, of the retired ones only those that were used in the period. */
export function listUsedWorkspaces(
  manager: EntityManager,
  { selection, period, q, keyset }: WorkspacesQuery,
): Promise<UsedWorkspace[]> {
  const parameters = new Parameters();
  const { workspaces } = selection;
  const { follows, order, limit } = keysetSql(keyset, parameters);
  const isManaged = workspaces === undefined ? 'TRUE' : `w.id = ANY(${parameters.add(workspaces)}::uuid[])`;
  const isFound = matchesName(q, 'w.name_key', parameters);
  const columns = 'workspace_id AS id, sum(views)::int AS views, sum(visible_ms)::float8 AS visible_ms';
  return queryRows<UsedWorkspace>(
    manager,
    `WITH used AS (
       ${daysOfWorkspaces(columns, period, selection, parameters)} GROUP BY id
     ), named AS (
       SELECT w.id, w.name, w.name_key, coalesce(views, 0) AS views, coalesce(visible_ms, 0) AS visible_ms
       FROM workspaces w LEFT JOIN used USING (id)
       WHERE (w.retired_at IS NULL OR used.id IS NOT NULL) AND ${isManaged} AND ${isFound}
     )
     SELECT id, name, name_key AS "nameKey", views, visible_ms FROM named WHERE ${follows} ORDER BY ${order} LIMIT ${limit}`,
    parameters.values,
    false,
  );
}

/** The figures of a workspace in a page of workspaces. */
export interface WorkspaceDetails {
  /** Null if figures of these days are no longer kept. */
  previousViews: number | null;
  /** Null where a part of the days no longer contains people. */
  viewers: number | null;
}

export async function workspaceDetails(
  manager: EntityManager,
  ids: readonly string[],
  selection: Selection,
  period: Pick<Period, 'from' | 'to'>,
): Promise<Map<string, WorkspaceDetails>> {
  const parameters = new Parameters();
  const given = `ANY(${parameters.add(ids)}::uuid[])`;
  const rowsOf = (columns: string, days: Days): string =>
    `${daysOfWorkspaces(columns, days, selection, parameters)} AND workspace_id = ${given}`;
  const rows = await queryRows<WorkspaceDetails & { id: string }>(
    manager,
    `WITH part AS MATERIALIZED (
       ${rowsOf('workspace_id AS key, views, viewers, people, people_from, people_bits', period)}
     ), ${distinctPeople('part')}, missing AS (
       SELECT DISTINCT key FROM part WHERE ${lacksPeople}
     ), earlier AS (
       ${rowsOf('workspace_id AS key, sum(views)::int AS views', previousOf(period))} GROUP BY key
     )
     SELECT w.id, coalesce(earlier.views, 0) AS "previousViews",
       CASE WHEN missing.key IS NULL THEN coalesce(present.viewers, 0) END AS viewers
     FROM workspaces w LEFT JOIN earlier ON earlier.key = w.id LEFT JOIN present ON present.key = w.id
       LEFT JOIN missing ON missing.key = w.id
     WHERE w.id = ${given}`,
    parameters.values,
    false,
  );
  return new Map(rows.map(({ id, ...details }) => [id, details]));
}
