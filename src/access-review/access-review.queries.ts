import type { EntityManager } from 'typeorm';
import { execute, Parameters } from '../core/database/execute.js';
import { grantsOfUser } from '../grants/grants.queries.js';
import type { GrantSource, WorkspaceRole } from '../grants/roles.js';

/** One grant of one user, or the access of an admin, which is not a grant. */
export interface ReviewRow {
  user_id: string;
  user_name: string;
  user_email: string | null;
  user_status: 'active' | 'disabled';
  /** Null for an admin's access to everything. */
  workspace_id: string | null;
  workspace_name: string | null;
  report_id: string | null;
  report_name: string | null;
  role: WorkspaceRole | 'admin';
  source: GrantSource | null;
  group_id: string | null;
  granted_by: string | null;
  granted_by_name: string | null;
  granted_at: Date | null;
  expires_at: Date | null;
  last_token_at: Date | null;
}

/** Restricts the rows; `workspaceId` is set with `reportId`. */
export interface ReviewFilter {
  workspaceId?: string;
  reportId?: string;
  /** Only grants of this group. */
  group?: string;
  userId?: string;
}

interface ReviewQuery extends ReviewFilter {
  now: Date;
  /** Users after this id. */
  after: string;
  users: number;
}

/** Ids of the next users, in order. Users without any row count, so that no statement reads more than a batch. */
export async function nextUsers(
  manager: EntityManager,
  { after, users, userId }: Pick<ReviewQuery, 'after' | 'users' | 'userId'>,
): Promise<string[]> {
  const { rows } = await execute<{ id: string }>(
    manager,
    `SELECT id FROM users WHERE id > $1 AND removed_at IS NULL AND ($3::uuid IS NULL OR id = $3)
     ORDER BY id LIMIT $2`,
    [after, users, userId ?? null],
  );
  return rows.map(({ id }) => id);
}

/** The rows of these users, ordered by user. */
export async function reviewRows(
  manager: EntityManager,
  userIds: readonly string[],
  { now, workspaceId, reportId, group }: Omit<ReviewQuery, 'after' | 'users'>,
): Promise<ReviewRow[]> {
  const parameters = new Parameters();
  const ids = parameters.add(userIds);
  const scope = { user: 'u.id', now: parameters.add(now) };
  const conditions = ['TRUE'];
  if (workspaceId !== undefined) conditions.push(`workspace_id = ${parameters.add(workspaceId)}`);
  if (group !== undefined) conditions.push(`group_id = ${parameters.add(group)}`);
  if (reportId !== undefined)
    conditions.push(`(report_id IS NULL OR report_id = ${parameters.add(reportId)})`);
  const isFiltered = conditions.join(' AND ');
  const { rows } = await execute<ReviewRow>(
    manager,
    `SELECT u.id AS user_id, u.name AS user_name, CASE WHEN u.kind = 'person' THEN u.email END AS user_email,
       u.status AS user_status, g.workspace_id, w.name AS workspace_name, g.report_id, r.name AS report_name, g.role,
       g.source, g.group_id, g.granted_by, giver.name AS granted_by_name, g.granted_at, g.expires_at,
       (SELECT max(issued_at) FROM embed_grants e WHERE e.user_id = u.id
          AND (g.workspace_id IS NULL OR e.workspace_id = g.workspace_id)
          AND (g.report_id IS NULL OR e.report_id = g.report_id)) AS last_token_at
     FROM users u
     CROSS JOIN LATERAL (
       SELECT * FROM (${grantsOfUser(scope)}) AS granted WHERE ${isFiltered}
       UNION ALL
       SELECT NULL, NULL, 'admin', NULL, NULL, NULL, NULL, NULL WHERE u.role = 'admin' AND ${group === undefined}
     ) AS g
     LEFT JOIN workspaces w ON w.id = g.workspace_id
     LEFT JOIN reports r ON r.id = g.report_id
     LEFT JOIN users giver ON giver.id = g.granted_by
     WHERE u.id = ANY(${ids}) AND (w.id IS NULL OR w.retired_at IS NULL)
     ORDER BY u.id, w.name_key, r.name_key, g.group_id`,
    parameters.values,
  );
  return rows;
}
