import type { EntityManager } from 'typeorm';
import { execute, Parameters } from '../core/database/execute.js';
import { keysetSql } from '../core/lists/keyset.js';
import { NameSearch } from '../core/lists/name-search.js';
import type { Keyset } from '../core/lists/pagination.js';
import { grantsByUser } from '../grants/grants.queries.js';
import type { WorkspaceRole } from '../grants/roles.js';
import type { Report } from './report.entity.js';

/** Someone who can see a report now. */
export interface ViewerRow {
  id: string;
  name: string;
  nameKey: string;
  /** Null for a service account. */
  email: string | null;
  role: WorkspaceRole | 'admin';
  /** The group with the strongest grant; null for an own grant, which takes precedence, and for admins. */
  group: string | null;
}

interface ViewersQuery {
  report: Pick<Report, 'id' | 'workspaceId'>;
  now: Date;
  q?: string;
  keyset: Keyset;
}

/** One page of the active users who can see the report, each with the strongest role. */
export async function listViewers(
  manager: EntityManager,
  { report, now, q, keyset }: ViewersQuery,
): Promise<ViewerRow[]> {
  const parameters = new Parameters();
  const granted = grantsByUser({
    report: parameters.add(report.id),
    workspace: parameters.add(report.workspaceId),
    now: parameters.add(now),
  });
  const { follows, order, limit } = keysetSql(keyset, parameters);
  const search = q === undefined ? undefined : new NameSearch(q);
  const isFound = search?.matches('name_key', parameters.add(search.value)) ?? 'TRUE';
  const { rows } = await execute<ViewerRow>(
    manager,
    `WITH strongest AS (
       SELECT DISTINCT ON (user_id) user_id, role, group_id FROM (${granted}) AS granted
       ORDER BY user_id, array_position(ARRAY['manager', 'editor', 'viewer'], role), group_id NULLS FIRST
     ), viewer AS (
       SELECT id, name, CASE WHEN kind = 'person' THEN email END AS email,
         lower(name COLLATE "und-x-icu") COLLATE "default" AS name_key,
         CASE WHEN users.role = 'admin' THEN 'admin' ELSE strongest.role END AS role,
         CASE WHEN users.role <> 'admin' THEN group_id END AS "group"
       FROM users LEFT JOIN strongest ON user_id = id
       WHERE status = 'active' AND (users.role = 'admin' OR id IN (SELECT user_id FROM strongest))
     )
     SELECT id, name, name_key AS "nameKey", email, role, "group" FROM viewer
     WHERE ${follows} AND ${isFound} ORDER BY ${order} LIMIT ${limit}`,
    parameters.values,
    q === undefined,
  );
  return rows;
}
