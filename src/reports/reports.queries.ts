import type { EntityManager } from 'typeorm';
import { NameSearch } from '../core/lists/name-search.js';
import type { Keyset } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { execute, Parameters } from '../core/database/execute.js';
import { keysetSql } from '../core/lists/keyset.js';
import { visibleTo, visibleWorkspaces } from '../workspaces/workspaces.queries.js';
import type { Report } from './report.entity.js';

/** A report in a list. */
export type ListedReport = Omit<Report, 'embedUrl' | 'missingSince' | 'retiredAt'>;

const listColumns = `id, workspace_id AS "workspaceId", pbi_report_id AS "pbiReportId", pbi_dataset_id AS "pbiDatasetId",
  name, name_key AS "nameKey", description, report_type AS "reportType", web_url AS "webUrl", updated_at AS "updatedAt"`;
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
  conditions: string;
  key: string;
  order: string;
  limit: string;
}

/** SQL of the ids of one page in all workspaces that `visible` selects. */
function memberPage(visible: string, { conditions, key, order, limit }: PageSql): string {
  const count = '(SELECT count(*) FROM visible)';
  return `WITH visible AS MATERIALIZED (${visible})
    (SELECT merged.id FROM visible, LATERAL (
       SELECT id, ${key} FROM reports WHERE workspace_id = visible.workspace_id AND ${conditions}
       ORDER BY ${order} LIMIT ${limit}) AS merged
     WHERE ${count} <= ${MAX_MERGED_WORKSPACES} ORDER BY ${order} LIMIT ${limit})
    UNION ALL
    (SELECT id FROM reports WHERE ${count} > ${MAX_MERGED_WORKSPACES}
       AND workspace_id = ANY(ARRAY(SELECT workspace_id FROM visible)) AND ${conditions}
     ORDER BY ${order} LIMIT ${limit})`;
}

/** One page of the reports that the caller may see. */
export async function listReports(
  manager: EntityManager,
  { caller, now, workspaceId, q, keyset }: ReportsQuery,
): Promise<ListedReport[]> {
  const parameters = new Parameters();
  const readsAll = caller.role === 'admin' && workspaceId === undefined;
  const { follows, order, limit } = keysetSql(keyset, parameters);
  const filters = ['retired_at IS NULL', follows];
  if (q !== undefined) {
    const search = new NameSearch(q);
    // Uses the trigram index only when all reports are searched; otherwise the workspace filter is more selective.
    filters.push(search.matchesIndexed('name_key', parameters.add(search.value), readsAll));
  }
  if (workspaceId !== undefined) {
    const id = parameters.add(workspaceId);
    filters.push(`workspace_id = ${id}`, visibleTo(caller, now, 'workspace_id', parameters));
  }
  const conditions = filters.join(' AND ');
  const page = `FROM reports WHERE ${conditions} ORDER BY ${order} LIMIT ${limit}`;
  const ids =
    readsAll || workspaceId !== undefined
      ? `SELECT id ${page}`
      : memberPage(visibleWorkspaces(caller, now, parameters), { conditions, key: keyset.key, order, limit });
  // Rows are wide: when the filters skip many of them, an index finds the ids first and only the page is read.
  const idsFirst = `FROM reports WHERE id = ANY(ARRAY(${ids})) ORDER BY ${order}`;
  const { rows } = await execute<ListedReport>(
    manager,
    `SELECT ${listColumns} ${readsAll && q === undefined ? page : idsFirst}`,
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
