import type { EntityManager } from 'typeorm';
import { execute, Parameters } from '../core/database/execute.js';
import { keysetSql } from '../core/lists/keyset.js';
import type { Keyset, SortKeys } from '../core/lists/pagination.js';

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

/** One page of the reports that were not opened since `before`, without retired ones. */
export async function listUnused(
  manager: EntityManager,
  { workspaces, before, keyset }: ListQuery,
): Promise<UnusedReport[]> {
  const parameters = new Parameters();
  const time = parameters.add(before);
  const inScope =
    workspaces === undefined ? 'TRUE' : `r.workspace_id = ANY(${parameters.add(workspaces)}::uuid[])`;
  const { follows, order, limit } = keysetSql(keyset, parameters);
  const { rows } = await execute<UnusedReport>(
    manager,
    `WITH unused AS (
       SELECT r.id, r.name, r.name_key, r.workspace_id, coalesce(l.last_viewed_at, 'epoch') AS last_viewed_at
       FROM reports r LEFT JOIN usage_last_views l ON l.report_id = r.id
       WHERE r.retired_at IS NULL AND ${inScope} AND (l.last_viewed_at IS NULL OR l.last_viewed_at < ${time})
     ), page AS (SELECT * FROM unused WHERE ${follows} ORDER BY ${order} LIMIT ${limit})
     SELECT page.id, page.name, page.name_key AS "nameKey", workspace_id AS "workspaceId", w.name AS "workspaceName",
       nullif(last_viewed_at, 'epoch') AS "lastViewedAt"
     FROM page JOIN workspaces w ON w.id = workspace_id ORDER BY page.${order.replaceAll(', id', ', page.id')}`,
    parameters.values,
    false,
  );
  return rows;
}
