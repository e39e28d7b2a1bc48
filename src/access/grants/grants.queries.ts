// SQL, because each of these is a part of a larger statement.
import { allMemberships, groupsOf, isInGroups } from '../groups/groups.queries.js';
import type { Target } from './grant.js';

/** SQL expressions of the id of the user whose grants are read, and of the current time. */
export interface GrantScope {
  user: string;
  now: string;
}

/** SQL condition: whether a row of `grants` confers its right now. Nothing is conferred on a retired report. */
export const isActive = (now: string): string =>
  `NOT is_retired AND (expires_at IS NULL OR expires_at > ${now})`;

/**
 * SQL table: the active rows of `grants` of the user, direct and through groups. A grant on a whole workspace has no
 * `report_id`.
 */
export const effectiveGrants = ({ user, now }: GrantScope): string => `effective_grants(${user}, ${now})`;

/** SQL query: the workspaces in which the user has a role. */
export const heldWorkspaces = (scope: GrantScope, where = 'TRUE'): string =>
  `SELECT DISTINCT workspace_id FROM ${effectiveGrants(scope)} WHERE report_id IS NULL AND ${where}`;

/** SQL query: ids of the workspaces that this user manages now. */
export const managedBy = (user: string, now: string): string =>
  heldWorkspaces({ user, now }, `role = 'manager'`);

/** SQL query: those of these workspaces that are not retired. */
const presentAmong = (workspaces: string): string =>
  `SELECT id FROM workspaces WHERE retired_at IS NULL AND id IN (${workspaces})`;

/** SQL query: the workspaces, except retired ones, in which the user has a role. */
export const presentHeldBy = (scope: GrantScope): string => presentAmong(heldWorkspaces(scope));

/** SQL query: ids of the workspaces that this user manages now and that are not retired. */
export const presentManagedBy = (user: string, now: string): string => presentAmong(managedBy(user, now));

/** SQL expressions of a report and its workspace. */
interface ReportColumns {
  report: string;
  workspace: string;
}

/** Two conditions of which each is a range of an index; PostgreSQL would read all grants of a holder for an OR. */
const onEither = (select: string, { report, workspace }: ReportColumns): string =>
  `${select} report_id IS NULL AND workspace_id = ${workspace} UNION ALL ${select} report_id = ${report}`;

/** SQL query: the active grants of the user on the report or its workspace. */
export const effectiveGrantsOn = (columns: string, scope: GrantScope, report: ReportColumns): string =>
  onEither(`SELECT ${columns} FROM ${effectiveGrants(scope)} WHERE`, report);

/** SQL query: `group_id` and `role` of every active grant of a group on the report or its workspace. */
export const groupGrantsOn = ({ now, ...report }: ReportColumns & { now: string }): string =>
  onEither(`SELECT group_id, role FROM grants WHERE group_id IS NOT NULL AND ${isActive(now)} AND`, report);

/** SQL query: `user_id`, `role` and `group_id`, which is null, of the active grants of people themselves for which `where` is true. */
const ownGrantsOn = ({ now, ...report }: ReportColumns & { now: string }, where: string): string =>
  onEither(
    `SELECT user_id, role, NULL::uuid AS group_id FROM grants WHERE user_id IS NOT NULL AND ${where} AND ${isActive(now)} AND`,
    report,
  );

/** SQL query: the active rows of `grants` on a workspace, or on one report. `id` and `now` are placeholders. */
export const grantsOnTarget = ({ reportId }: Target, { id, now }: { id: string; now: string }): string =>
  `SELECT * FROM grants
   WHERE ${reportId === undefined ? `report_id IS NULL AND workspace_id = ${id}` : `report_id = ${id}`} AND ${isActive(now)}`;

/** SQL query: ids of the users with a grant of their own in the workspace. */
export const directMembersOf = (workspace: string, now: string): string =>
  `SELECT user_id FROM grants
   WHERE workspace_id = ${workspace} AND report_id IS NULL AND user_id IS NOT NULL AND ${isActive(now)}`;

/** SQL query: ids of the users who manage the workspace, directly or through groups. */
export function managersOf(workspace: string, now: string): string {
  const managers = `FROM grants
    WHERE workspace_id = ${workspace} AND report_id IS NULL AND role = 'manager' AND ${isActive(now)}`;
  return `SELECT user_id ${managers} AND user_id IS NOT NULL
    UNION SELECT user_id FROM (${allMemberships}) AS member
    WHERE group_id IN (SELECT group_id ${managers} AND group_id IS NOT NULL)`;
}

/** SQL query: ids of the workspaces in which a holder has an active grant. */
export const usedWorkspaceIds = (now: string): string =>
  `SELECT workspace_id FROM grants WHERE ${isActive(now)}`;

/** SQL query: ids of the users or groups with a grant of their own in these workspaces or on their reports. */
export const holdersIn = (column: 'user_id' | 'group_id', workspaces: string, now: string): string =>
  `SELECT DISTINCT ${column} FROM grants
   WHERE workspace_id IN (${workspaces}) AND ${column} IS NOT NULL AND ${isActive(now)}`;

/** The report, the time, and the name of a table with the rows of `groupGrantsOn`. */
type GrantsOn = ReportColumns & { now: string; byGroups: string };

/** SQL query: `user_id`, `role` and `group_id` of every grant on the report of people whose `user_id` fulfils `where`. */
export const byUser = ({ byGroups, ...report }: GrantsOn, where = 'TRUE'): string =>
  `${ownGrantsOn(report, where)}
   UNION ALL SELECT user_id, role, group_id FROM ${byGroups} JOIN (${allMemberships}) AS member USING (group_id) WHERE ${where}`;

/**
 * SQL condition: whether the person has a grant on the report. Looks up each person, which is faster than `byUser` if most
 * people have one. OFFSET prevents PostgreSQL from reading all grants on the report for each person.
 */
export const isAmong = (user: string, { byGroups, report, workspace, now }: GrantsOn): string =>
  `(EXISTS (
      SELECT FROM (SELECT report_id, workspace_id FROM grants WHERE user_id = ${user} AND ${isActive(now)} OFFSET 0) AS own
      WHERE report_id = ${report} OR report_id IS NULL AND workspace_id = ${workspace})
    OR ${isInGroups(user, `SELECT group_id FROM ${byGroups}`)})`;

/** SQL query: the active rows of `grants` of these groups, an array of ids. */
export const grantsOfGroups = (groups: string, now: string): string =>
  `SELECT * FROM grants WHERE group_id = ANY(${groups}::uuid[]) AND ${isActive(now)}`;

interface SharedPage {
  scope: GrantScope;
  /** Further condition on `grants`. */
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
    `SELECT DISTINCT report_id AS id, name_key FROM grants
     WHERE ${holder} AND report_id IS NOT NULL AND ${isActive(now)} AND ${where} ORDER BY ${order} LIMIT ${limit}`;
  return `(${page(`user_id = ${user}`)})
    UNION ALL
    SELECT shared.* FROM (${groupsOf(user)}) AS own, LATERAL (${page('group_id = own.group_id')}) AS shared`;
}
