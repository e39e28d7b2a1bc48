import type { EntityManager } from 'typeorm';
import { NameSearch } from '../core/lists/name-search.js';
import type { Keyset } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { execute, Parameters } from '../core/database/execute.js';
import { keysetSql } from '../core/lists/keyset.js';
import { visibleTo } from '../workspaces/workspaces.queries.js';
import type { Report } from './report.entity.js';

/** A report in a list. */
export type ListedReport = Omit<Report, 'embedUrl' | 'missingSince' | 'retiredAt'>;

const listColumns = `id, workspace_id AS "workspaceId", pbi_report_id AS "pbiReportId", pbi_dataset_id AS "pbiDatasetId",
  name, name_key AS "nameKey", description, report_type AS "reportType", web_url AS "webUrl", updated_at AS "updatedAt"`;
const columns = `${listColumns}, embed_url AS "embedUrl", missing_since AS "missingSince", retired_at AS "retiredAt"`;

interface ReportsQuery {
  caller: Principal;
  now: Date;
  workspaceId?: string;
  q?: string;
  keyset: Keyset;
}

/** One page of the reports that the caller may see. */
export async function listReports(
  manager: EntityManager,
  { caller, now, workspaceId, q, keyset }: ReportsQuery,
): Promise<ListedReport[]> {
  const parameters = new Parameters();
  const conditions = ['retired_at IS NULL', visibleTo(caller, now, 'workspace_id', parameters)];
  const readsAll = caller.role === 'admin' && workspaceId === undefined;
  if (workspaceId !== undefined) conditions.push(`workspace_id = ${parameters.add(workspaceId)}`);
  if (q !== undefined) {
    const search = new NameSearch(q);
    // Uses the trigram index only when all reports are searched; otherwise the workspace filter is more selective.
    conditions.push(search.matchesIndexed('name_key', parameters.add(search.value), readsAll));
  }
  const { follows, order, limit } = keysetSql(keyset, parameters);
  const page = `FROM reports WHERE ${[...conditions, follows].join(' AND ')} ORDER BY ${order} LIMIT ${limit}`;
  // Rows are wide: when the filters skip many of them, an index finds the ids first and only the page is read.
  const idsFirst = `FROM reports WHERE id = ANY(ARRAY(SELECT id ${page})) ORDER BY ${order}`;
  const source = readsAll && q === undefined ? page : idsFirst;
  const { rows } = await execute<ListedReport>(
    manager,
    `SELECT ${listColumns} ${source}`,
    parameters.values,
    q === undefined,
  );
  return rows;
}

/** Returns undefined for a report that the caller may not see. */
export async function findReport(
  manager: EntityManager,
  caller: Principal,
  now: Date,
  id: string,
): Promise<Report | undefined> {
  const parameters = new Parameters();
  const { rows } = await execute<Report>(
    manager,
    `SELECT ${columns} FROM reports WHERE id = ${parameters.add(id)} AND retired_at IS NULL
       AND ${visibleTo(caller, now, 'workspace_id', parameters)}`,
    parameters.values,
  );
  return rows[0];
}
