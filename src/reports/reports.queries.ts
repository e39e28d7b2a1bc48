// SQL, because it merges sorted pages of workspaces and grants; measured.
import { type EntityManager, type EntityTarget, Raw } from 'typeorm';
import { NameSearch } from '../core/lists/name-search.js';
import { type Keyset, keysetSql } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { execute, Parameters, queryRows } from '../core/database/execute.js';
import {
  effectiveGrants,
  effectiveGrantsOn,
  type GrantScope,
  heldWorkspaces,
  sharedReportsByName,
} from '../access/grants/grants.queries.js';
import { scopeOf } from '../workspaces/workspaces.queries.js';
import { Report } from './report.entity.js';

/** A report in a list. */
export type ListedReport = Omit<Report, 'embedUrl' | 'missingSince' | 'retiredAt'>;

const listColumns = `id, workspace_id AS "workspaceId", pbi_report_id AS "pbiReportId", pbi_dataset_id AS "pbiDatasetId",
  name, name_key AS "nameKey", description, report_type AS "reportType", web_url AS "webUrl", updated_at AS "updatedAt",
  data_as_of AS "dataAsOf", refresh_status AS "refreshStatus", refresh_failed_since AS "refreshFailedSince"`;
const columns = `${listColumns}, embed_url AS "embedUrl", missing_since AS "missingSince", retired_at AS "retiredAt"`;

/** Up to this many workspaces, one sorted page of each is merged; above, all reports are read in order and filtered. */
const MAX_MERGED_WORKSPACES = 500;

interface ReportsQuery {
  caller: Principal;
  now: Date;
  workspaceId?: string;
  q?: string;
  keyset: Keyset;
}

/** Parts of the statement that reads one page. */
interface PageSql {
  scope: GrantScope;
  /** The filter on the workspace, which both reports and grants have. */
  inWorkspace: string;
  /** The other filters, for a given column of ids. */
  matches: (id: string) => string;
  key: string;
  order: string;
  limit: string;
}

/** SQL: one page of the reports in the workspaces that are in the CTE `held`, which the caller may see as a whole. */
function heldPage({ matches, key, order, limit }: PageSql): string {
  const count = '(SELECT count(*) FROM held)';
  const page = (where: string) =>
    `SELECT id, ${key} FROM reports WHERE ${where} AND retired_at IS NULL AND ${matches('id')}
     ORDER BY ${order} LIMIT ${limit}`;
  return `(SELECT merged.* FROM held, LATERAL (${page('workspace_id = held.workspace_id')}) AS merged
     WHERE ${count} <= ${MAX_MERGED_WORKSPACES} ORDER BY ${order} LIMIT ${limit})
    UNION ALL
    (${page(`${count} > ${MAX_MERGED_WORKSPACES} AND workspace_id = ANY(ARRAY(SELECT workspace_id FROM held))`)})`;
}

/** SQL: one page of the reports that are shared with the caller one by one. */
function sharedPage({ scope, inWorkspace, matches, key, order, limit }: PageSql): string {
  if (key === 'name_key') {
    const where = `${inWorkspace} AND ${matches('report_id')}`;
    return sharedReportsByName({ scope, where, order, limit });
  }
  const shared = `SELECT DISTINCT report_id FROM ${effectiveGrants(scope)} WHERE report_id IS NOT NULL AND ${inWorkspace}`;
  // OFFSET makes PostgreSQL read the shared reports one by one, not the index of all reports in this order.
  return `(SELECT id, ${key} FROM (${shared}) AS shared, LATERAL (
        SELECT id, name_key, ${key}, retired_at FROM reports WHERE id = report_id OFFSET 0) AS report
      WHERE retired_at IS NULL AND ${matches('id')} ORDER BY ${order} LIMIT ${limit})`;
}

/** SQL: the ids of one page of the reports that a member may see. */
const memberPage = (page: PageSql): string =>
  `WITH held AS MATERIALIZED (${heldWorkspaces(page.scope, page.inWorkspace)})
   SELECT id FROM (${heldPage(page)} UNION ALL ${sharedPage(page)}) AS visible
   GROUP BY id, ${page.key} ORDER BY ${page.order} LIMIT ${page.limit}`;

/** One page of the reports that the caller may see. */
export function listReports(
  manager: EntityManager,
  { caller, now, workspaceId, q, keyset }: ReportsQuery,
): Promise<ListedReport[]> {
  const parameters = new Parameters();
  const isAdmin = caller.role === 'admin';
  const inWorkspace = workspaceId === undefined ? 'TRUE' : `workspace_id = ${parameters.add(workspaceId)}`;
  const { follows, followsBy, order, limit } = keysetSql(keyset, parameters);
  const search = q === undefined ? undefined : new NameSearch(q);
  // Uses the trigram index only when all reports are searched; otherwise the workspace filter is more selective.
  const usesIndex = isAdmin && workspaceId === undefined;
  const isFound = search?.matchesIndexed('name_key', parameters.add(search.value), usesIndex) ?? 'TRUE';
  const page = `FROM reports WHERE retired_at IS NULL AND ${inWorkspace} AND ${follows} AND ${isFound}
    ORDER BY ${order} LIMIT ${limit}`;
  const ids = isAdmin
    ? `SELECT id ${page}`
    : memberPage({
        scope: scopeOf(caller, now, parameters),
        inWorkspace,
        matches: (id) => `${followsBy(id)} AND ${isFound}`,
        key: keyset.key,
        order,
        limit,
      });
  // Rows are wide: when the filters skip many of them, an index finds the ids first and only the page is read.
  const idsFirst = `FROM reports WHERE id = ANY(ARRAY(${ids})) ORDER BY ${order}`;
  return queryRows<ListedReport>(
    manager,
    `SELECT ${listColumns} ${usesIndex && q === undefined ? page : idsFirst}`,
    parameters.values,
    q === undefined,
  );
}

const presentReport = `SELECT ${columns} FROM reports WHERE id = $1 AND retired_at IS NULL`;
const visibleReport = `${presentReport} AND ${isGranted({ user: '$2', now: '$3' }, '$1')}`;

/** Returns undefined for a report that the caller may not see. */
export async function findReport(
  manager: EntityManager,
  caller: Principal,
  now: Date,
  id: string,
): Promise<Report | undefined> {
  const { rows } =
    caller.role === 'admin'
      ? await execute<Report>(manager, presentReport, [id])
      : await execute<Report>(manager, visibleReport, [id, caller.id, now]);
  return rows[0];
}

/** Locks a report, or all of a workspace in the order of their ids. */
export const lockReports = (
  tx: EntityManager,
  where: { id: string } | { workspaceId: string },
): Promise<unknown> =>
  tx.find(Report, { where, select: { id: true }, order: { id: 'ASC' }, lock: { mode: 'for_no_key_update' } });

/** Returns those of the given reports that the caller may see, in no particular order. */
export function findListedReports(
  manager: EntityManager,
  caller: Principal,
  now: Date,
  ids: readonly string[],
): Promise<ListedReport[]> {
  const parameters = new Parameters();
  const given = `ANY(${parameters.add(ids)}::uuid[])`;
  const isVisible =
    caller.role === 'admin' ? 'TRUE' : isGranted(scopeOf(caller, now, parameters), 'reports.id');
  return queryRows(
    manager,
    `SELECT ${listColumns} FROM reports WHERE id = ${given} AND retired_at IS NULL AND ${isVisible}`,
    parameters.values,
  );
}

/** SQL condition: whether the member has a grant that covers the report with this id. */
function isGranted(scope: GrantScope, id: string): string {
  return `EXISTS (${effectiveGrantsOn('1', scope, { workspace: 'reports.workspace_id', report: id })})`;
}

/** A report that returns to Power BI within this time returns with what people saved of it. */
export const RETIRED_KEPT_SECONDS = 30 * 86_400;

/** Deletes the rows of this entity whose reports were retired before this time. */
export const deleteOfRetired = (
  manager: EntityManager,
  entity: EntityTarget<{ reportId: string }>,
  before: Date,
): Promise<unknown> => {
  const retired = 'SELECT id FROM reports WHERE retired_at < :before';
  return manager.delete(entity, { reportId: Raw((column) => `${column} IN (${retired})`, { before }) });
};

/** Copies in other workspaces of the reports with these Power BI ids, without retired ones. */
export function findCopiesElsewhere(
  tx: EntityManager,
  workspaceId: string,
  pbiReportIds: readonly string[],
): Promise<{ id: string; workspaceId: string }[]> {
  // OFFSET 0 forces the lookup by id: for a table that was just filled, PostgreSQL would otherwise read a whole
  // index.
  return queryRows(
    tx,
    `SELECT other.id, other.workspace_id AS "workspaceId" FROM unnest($1::uuid[]) AS here (id), LATERAL (
       SELECT id, workspace_id, retired_at FROM reports WHERE pbi_report_id = here.id OFFSET 0) AS other
     WHERE other.workspace_id <> $2 AND other.retired_at IS NULL`,
    [pbiReportIds, workspaceId],
  );
}
