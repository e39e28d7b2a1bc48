import { allMemberships, groupsOf, isInGroups } from '../groups/groups.queries.js';
import type { Holder } from './grant.js';

/** SQL expressions of the id of the user whose grants are read, and of the current time. */
export interface GrantScope {
  user: string;
  now: string;
}

export const isActive = (now: string): string => `(expires_at IS NULL OR expires_at > ${now})`;

/** Two index scans; PostgreSQL would use neither index for an OR over both kinds of holders in a larger condition. */
const activeGrants = (table: string, columns: string, { user, now }: GrantScope, where: string): string => `
  SELECT ${columns} FROM ${table} WHERE user_id = ${user} AND ${isActive(now)} AND ${where}
  UNION ALL
  SELECT ${columns} FROM ${table}
  WHERE group_id = ANY(ARRAY(${groupsOf(user)})) AND ${isActive(now)} AND ${where}`;

/** SQL query: the active workspace grants of the user, direct and through groups. */
export const workspaceGrantsOf = (columns: string, scope: GrantScope, where = 'TRUE'): string =>
  activeGrants('workspace_grants', columns, scope, where);

/** SQL query: the active grants of the user on reports that are not retired, direct and through groups. */
export const reportGrantsOf = (columns: string, scope: GrantScope, where = 'TRUE'): string =>
  activeGrants('report_grants', columns, scope, `NOT is_retired AND ${where}`);

/** SQL query: the workspaces in which the user has a role. */
export const heldWorkspaces = (scope: GrantScope, where = 'TRUE'): string =>
  `SELECT DISTINCT workspace_id FROM (${workspaceGrantsOf('workspace_id', scope, where)}) AS held`;

/** SQL query: ids of the users with a grant of their own in the workspace. */
export const directMembersOf = (workspace: string, now: string): string =>
  `SELECT user_id FROM workspace_grants
   WHERE workspace_id = ${workspace} AND user_id IS NOT NULL AND ${isActive(now)}`;

/** SQL query: ids of the users who manage the workspace, directly or through groups. */
export function managersOf(workspace: string, now: string): string {
  const managers = `FROM workspace_grants
    WHERE workspace_id = ${workspace} AND role = 'manager' AND ${isActive(now)}`;
  return `SELECT user_id ${managers} AND user_id IS NOT NULL
    UNION SELECT user_id FROM (${allMemberships}) AS member
    WHERE group_id IN (SELECT group_id ${managers} AND group_id IS NOT NULL)`;
}

/** SQL query: ids of the workspaces in which a holder has an active grant. */
export const usedWorkspaceIds = (now: string): string =>
  `SELECT workspace_id FROM workspace_grants WHERE ${isActive(now)}
   UNION SELECT workspace_id FROM report_grants WHERE NOT is_retired AND ${isActive(now)}`;

/** SQL query: ids of the users with a grant of their own in these workspaces. */
export const usersIn = (workspaces: string, now: string): string =>
  `SELECT user_id FROM workspace_grants
   WHERE workspace_id IN (${workspaces}) AND user_id IS NOT NULL AND ${isActive(now)}
   UNION SELECT user_id FROM report_grants
   WHERE workspace_id IN (${workspaces}) AND user_id IS NOT NULL AND NOT is_retired AND ${isActive(now)}`;

/** SQL query: the active grants that a holder has directly. */
export const activeGrantsHeldBy = ({ type }: Pick<Holder, 'type'>, id: string, now: string): string => {
  const columns = 'workspace_id AS "workspaceId", source';
  const isHeld = `${type === 'user' ? 'user_id' : 'group_id'} = ${id} AND ${isActive(now)}`;
  return `SELECT ${columns}, NULL::uuid AS "reportId" FROM workspace_grants WHERE ${isHeld}
    UNION ALL SELECT ${columns}, report_id FROM report_grants WHERE NOT is_retired AND ${isHeld}`;
};

/** SQL query: ids of the groups with a grant in these workspaces. */
export const groupsIn = (workspaces: string, now: string): string =>
  `SELECT group_id FROM workspace_grants
   WHERE workspace_id IN (${workspaces}) AND group_id IS NOT NULL AND ${isActive(now)}
   UNION SELECT group_id FROM report_grants
   WHERE workspace_id IN (${workspaces}) AND group_id IS NOT NULL AND NOT is_retired AND ${isActive(now)}`;

/** SQL expressions of a report, its workspace and the current time. */
interface ReportScope {
  report: string;
  workspace: string;
  now: string;
}

/** SQL query: `user_id`, `group_id` and `role` of every active grant on the report or its workspace. */
export const grantsOn = ({ report, workspace, now }: ReportScope): string =>
  `SELECT user_id, group_id, role FROM workspace_grants WHERE workspace_id = ${workspace} AND ${isActive(now)}
   UNION ALL SELECT user_id, group_id, role FROM report_grants WHERE report_id = ${report} AND ${isActive(now)}`;

/** SQL query: the rows of `grantsOn`, in a table with this name, for each person. The group is null for a person's own grant. */
export const byUser = (granted: string): string =>
  `SELECT user_id, role, NULL::uuid AS group_id FROM ${granted} WHERE user_id IS NOT NULL
   UNION ALL SELECT member.user_id, role, group_id FROM ${granted} JOIN (${allMemberships}) AS member USING (group_id)`;

/**
 * SQL condition: whether the person has one of these grants. Looks up each person, which is faster than `byUser` if most
 * people have one.
 */
export const isAmong = (user: string, granted: string): string =>
  `(${user} IN (SELECT user_id FROM ${granted} WHERE user_id IS NOT NULL)
    OR ${isInGroups(user, `SELECT group_id FROM ${granted} WHERE group_id IS NOT NULL`)})`;

const grantColumns = (report: string): string =>
  `workspace_id, ${report} AS report_id, role, source, group_id, granted_by, by_derived_right,
   created_at AS granted_at, expires_at`;

/**
 * SQL query: every active grant of the user, direct and through groups: workspace_id, report_id, role, source, group_id,
 * granted_by, by_derived_right, granted_at, expires_at.
 */
export const grantsOfUser = (scope: GrantScope): string =>
  `${workspaceGrantsOf(grantColumns('NULL::uuid'), scope)}
   UNION ALL ${reportGrantsOf(grantColumns('report_id'), scope)}`;

/** SQL query: the same of these groups, an array of ids. */
export const grantsOfGroups = (groups: string, now: string): string =>
  `SELECT ${grantColumns('NULL::uuid')} FROM workspace_grants
   WHERE group_id = ANY(${groups}::uuid[]) AND ${isActive(now)}
   UNION ALL SELECT ${grantColumns('report_id')} FROM report_grants
   WHERE group_id = ANY(${groups}::uuid[]) AND NOT is_retired AND ${isActive(now)}`;

interface SharedPage {
  scope: GrantScope;
  /** Further condition on `report_grants`. */
  where: string;
  order: string;
  limit: string;
}

/**
 * SQL query: id and sort key of one page of the reports shared with the user, by name. Reads one sorted page of each holder
 * from an index that contains the names.
 */
export function sharedReportsByName({ scope: { user, now }, where, order, limit }: SharedPage): string {
  const page = (holder: string) =>
    `SELECT DISTINCT report_id AS id, name_key FROM report_grants
     WHERE ${holder} AND NOT is_retired AND ${isActive(now)} AND ${where} ORDER BY ${order} LIMIT ${limit}`;
  return `(${page(`user_id = ${user}`)})
    UNION ALL
    SELECT shared.* FROM (${groupsOf(user)}) AS own, LATERAL (${page('group_id = own.group_id')}) AS shared`;
}
