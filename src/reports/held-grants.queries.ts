// SQL, because it sorts and searches the effective grants by the names of their targets.
import type { EntityManager } from 'typeorm';
import { execute, Parameters, queryRows } from '../core/database/execute.js';
import { type Keyset, keysetSql } from '../core/lists/pagination.js';
import { NameSearch } from '../core/lists/name-search.js';
import { effectiveGrants, grantsOfGroups } from '../access/grants/grants.queries.js';
import type { GrantSource, WorkspaceRole } from '../access/grants/grant.js';

/** A user with all groups that contain the user, or groups only. */
export type GrantHolder = { userId: string } | { groupIds: readonly string[] };

/** An active grant with the names of its target. */
export interface HeldGrant {
  /** Unique among the grants of one holder. Orders those in one workspace: on the workspace first. */
  id: string;
  workspaceId: string;
  workspaceName: string;
  workspaceKey: string;
  /** Null for a grant on the whole workspace. */
  reportId: string | null;
  reportName: string | null;
  role: WorkspaceRole;
  source: GrantSource;
  expiresAt: Date | null;
  /** The group that holds the grant; null for the user's own. */
  viaGroup: string | null;
}

interface HeldQuery {
  holder: GrantHolder;
  now: Date;
  role?: WorkspaceRole;
  q?: string;
  keyset: Keyset;
}

function heldBy({ holder, now }: Pick<HeldQuery, 'holder' | 'now'>, parameters: Parameters): string {
  const at = parameters.add(now);
  return 'userId' in holder
    ? effectiveGrants({ user: parameters.add(holder.userId), now: at })
    : `(${grantsOfGroups(parameters.add(holder.groupIds), at)})`;
}

const isPresent = 'workspaces.id = held.workspace_id AND workspaces.retired_at IS NULL';

/** One page of the active grants, of workspaces or reports with this name. */
export function listHeldGrants(
  manager: EntityManager,
  { q, role, keyset, ...query }: HeldQuery,
): Promise<HeldGrant[]> {
  const parameters = new Parameters();
  const held = heldBy(query, parameters);
  const { follows, order, limit } = keysetSql(keyset, parameters);
  const conditions = [follows];
  if (role !== undefined) conditions.push(`role = ${parameters.add(role)}`);
  if (q !== undefined) {
    const search = new NameSearch(q);
    const value = parameters.add(search.value);
    conditions.push(
      `(${search.matches('"workspaceKey"', value)} OR ${search.matches('"reportKey"', value)})`,
    );
  }
  return queryRows<HeldGrant>(
    manager,
    `SELECT id, "workspaceId", "workspaceName", "workspaceKey", "reportId", "reportName", role, source, "expiresAt", "viaGroup"
     FROM (
       SELECT concat_ws(' ', workspaces.id, coalesce(held.report_id::text, '-'), coalesce(held.group_id::text, '-'), held.source)
           COLLATE "C" AS id,
         workspaces.id AS "workspaceId", workspaces.name AS "workspaceName", workspaces.name_key AS "workspaceKey",
         reports.id AS "reportId", reports.name AS "reportName", coalesce(reports.name_key, '') AS "reportKey",
         held.role, held.source, held.expires_at AS "expiresAt", held.group_id AS "viaGroup"
       FROM ${held} AS held JOIN workspaces ON ${isPresent}
       LEFT JOIN reports ON reports.id = held.report_id
     ) AS named WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${limit}`,
    parameters.values,
    q === undefined,
  );
}

export interface GrantCounts {
  workspaces: number;
  reports: number;
}

/** How many active grants there are on workspaces and on single reports. */
export async function countHeldGrants(
  manager: EntityManager,
  query: Pick<HeldQuery, 'holder' | 'now'>,
): Promise<GrantCounts> {
  const parameters = new Parameters();
  const { rows } = await execute<GrantCounts>(
    manager,
    `SELECT count(*) FILTER (WHERE report_id IS NULL)::int AS workspaces, count(report_id)::int AS reports
     FROM ${heldBy(query, parameters)} AS held JOIN workspaces ON ${isPresent}`,
    parameters.values,
  );
  return rows[0] ?? { workspaces: 0, reports: 0 };
}
