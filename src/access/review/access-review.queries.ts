// SQL, because it reads the effective grants of a batch of users, with all names.
import type { EntityManager } from 'typeorm';
import { execute, Parameters, queryRows } from '../../core/database/execute.js';
import { effectiveGrants } from '../grants/grants.queries.js';
import { groupsOf } from '../groups/groups.queries.js';
import type { GrantSource, WorkspaceRole } from '../grants/grant.js';

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
  by_derived_right: boolean | null;
  granted_at: Date | null;
  expires_at: Date | null;
  last_token_at: Date | null;
}

/** Restricts the rows; `workspaceId` is set with `reportId`. */
export interface ReviewFilter {
  workspaceId?: string;
  reportId?: string;
  /** Only access of the people in this group, through it. */
  group?: string;
  userId?: string;
}

/** `groups` are the filter's group and the groups that contain it, whose grants apply to its people, too. */
export type RowFilter = Omit<ReviewFilter, 'userId'> & { groups?: readonly string[]; now: Date };

/** SQL query: the grants of the user `u.id` that the filter selects. */
function filteredGrants(filter: RowFilter, parameters: Parameters): string {
  const { now, workspaceId, reportId, group, groups } = filter;
  const conditions = ['TRUE'];
  if (workspaceId !== undefined) conditions.push(`workspace_id = ${parameters.add(workspaceId)}`);
  if (group !== undefined) {
    const through = `group_id = ANY(${parameters.add(groups)}::uuid[])`;
    conditions.push(`${through} AND ${parameters.add(group)}::uuid IN (${groupsOf('u.id')})`);
  }
  if (reportId !== undefined)
    conditions.push(`(report_id IS NULL OR report_id = ${parameters.add(reportId)})`);
  const scope = { user: 'u.id', now: parameters.add(now) };
  return `SELECT workspace_id, report_id, role, source, group_id, granted_by, by_derived_right, created_at AS granted_at, expires_at
    FROM ${effectiveGrants(scope)} WHERE ${conditions.join(' AND ')}`;
}

/** A user, and how many rows the review has at most for this user. */
export interface ReviewedUser {
  id: string;
  rows: number;
}

/** The next users, in order. Users without any row count, so that no statement reads more than a batch. */
export function nextUsers(
  manager: EntityManager,
  { after, users, userId }: { after: string; users: number; userId?: string },
  filter: RowFilter,
): Promise<ReviewedUser[]> {
  const parameters = new Parameters();
  const first = parameters.add(after);
  const only = userId === undefined ? 'TRUE' : `id = ${parameters.add(userId)}`;
  return queryRows<ReviewedUser>(
    manager,
    `SELECT id, (role = 'admin')::int + (SELECT count(*)::int FROM (${filteredGrants(filter, parameters)}) AS g) AS rows
     FROM users u WHERE id > ${first} AND removed_at IS NULL AND ${only} ORDER BY id LIMIT ${parameters.add(users)}`,
    parameters.values,
  );
}

export type LastTokens = ReadonlyMap<string, Date>;

/** What a row grants access to: a report, a workspace, or everything, for which the id is the user's. */
const keyOf = (user: string, resource: string): string => `${user} ${resource}`;

/**
 * When these users last received an embed token, by `keyOf`. Read separately, because a user may have many tokens and many
 * grants, and PostgreSQL may compare each with each.
 */
export async function findLastTokens(manager: EntityManager, users: readonly string[]): Promise<LastTokens> {
  const { rows } = await execute<{ user: string; resource: string; at: Date }>(
    manager,
    `SELECT user_id AS "user", coalesce(report_id, workspace_id, user_id) AS resource, max(issued_at) AS at
     FROM issued_tokens WHERE user_id = ANY($1::uuid[])
     GROUP BY GROUPING SETS ((user_id), (user_id, workspace_id), (user_id, workspace_id, report_id))`,
    [users],
  );
  return new Map(rows.map(({ user, resource, at }) => [keyOf(user, resource), at]));
}

interface RowsQuery {
  users: readonly string[];
  tokens: LastTokens;
  /** The last row that was read. */
  after?: RowKey;
  limit: number;
}

/** What identifies a row: the user, the workspace, the report, the group and the source, or `''` for null. */
export type RowKey = [user: string, workspace: string, report: string, group: string, source: string];

/** SQL: the columns of `RowKey`, in a byte order. */
const rowKey = ['user_id', 'workspace_id', 'report_id', 'group_id', 'source']
  .map((column) => `coalesce(g.${column}::text, '') COLLATE "C"`)
  .join(', ');

interface RowsPage {
  /** Ordered by user and, within this page, by name. */
  rows: ReviewRow[];
  /** The key after which the next page begins. */
  next?: RowKey;
}

/** A page of the rows of these users. */
export async function reviewRows(
  manager: EntityManager,
  { users, tokens, after, limit }: RowsQuery,
  filter: RowFilter,
): Promise<RowsPage> {
  const parameters = new Parameters();
  const ids = `${parameters.add(users)}::uuid[]`;
  const isNext =
    after === undefined
      ? 'TRUE'
      : `(${rowKey}) > (${after.map((value) => parameters.add(value)).join(', ')})`;
  const { rows } = await execute<Omit<ReviewRow, 'last_token_at'> & { key: RowKey }>(
    manager,
    `WITH all_held AS MATERIALIZED (
       SELECT u.id AS user_id, g.* FROM unnest(${ids}) AS u (id), LATERAL (${filteredGrants(filter, parameters)}) AS g
       UNION ALL
       SELECT id, NULL, NULL, 'admin', NULL, NULL, NULL, NULL, NULL, NULL FROM users
       WHERE id = ANY(${ids}) AND role = 'admin' AND ${filter.group === undefined}
     ), held AS (
       SELECT g.*, ARRAY[${rowKey}] AS key FROM all_held AS g
       LEFT JOIN workspaces w ON w.id = g.workspace_id
       WHERE w.retired_at IS NULL AND ${isNext} ORDER BY key LIMIT ${parameters.add(limit)}
     )
     SELECT g.key, u.id AS user_id, u.name AS user_name, CASE WHEN u.kind = 'person' THEN u.email END AS user_email,
       u.status AS user_status, g.workspace_id, w.name AS workspace_name, g.report_id, r.name AS report_name, g.role,
       g.source, g.group_id, g.granted_by, grantor.name AS granted_by_name, g.by_derived_right, g.granted_at,
       g.expires_at
     FROM held AS g
     JOIN users u ON u.id = g.user_id
     LEFT JOIN workspaces w ON w.id = g.workspace_id
     LEFT JOIN reports r ON r.id = g.report_id
     LEFT JOIN users grantor ON grantor.id = g.granted_by
     ORDER BY u.id, w.name_key, r.name_key, g.key`,
    parameters.values,
  );
  // A line feed is before every character of a key, so that the texts have the order of PostgreSQL.
  const last = rows
    .map(({ key }) => key.join('\n'))
    .toSorted()
    .at(-1);
  const dated = rows.map((row) => {
    // An admin's line has no resource: within a filter it shows nothing about others.
    const resource =
      row.report_id ?? row.workspace_id ?? filter.reportId ?? filter.workspaceId ?? row.user_id;
    return { ...row, last_token_at: tokens.get(keyOf(row.user_id, resource)) ?? null };
  });
  return { rows: dated, next: rows.length < limit ? undefined : (last?.split('\n') as RowKey | undefined) };
}
