import type { EntityManager } from 'typeorm';
import { NameSearch } from '../core/lists/name-search.js';
import type { Keyset } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { execute, Parameters } from '../core/database/execute.js';
import { keysetSql } from '../core/lists/keyset.js';
import type { Workspace } from './workspace.entity.js';

/** What a caller sees of a workspace, and its sort key. */
export type VisibleWorkspace = Pick<Workspace, 'id' | 'name' | 'nameKey' | 'pbiWorkspaceId' | 'reportCount'>;

const columns = `id, name, name_key AS "nameKey", pbi_workspace_id AS "pbiWorkspaceId", report_count AS "reportCount"`;

/** SQL subquery: ids of the workspaces in which this member has an active grant. */
export const visibleWorkspaces = ({ id }: Principal, now: Date, parameters: Parameters): string =>
  `SELECT workspace_id FROM memberships
   WHERE user_id = ${parameters.add(id)} AND (expires_at IS NULL OR expires_at > ${parameters.add(now)})`;

/**
 * SQL condition for the rows that the caller may see: all rows for admins, those of workspaces with an active grant for
 * members. `column` contains the workspace id. Uses an array, because PostgreSQL then reads the caller's few grants
 * first; for a join it prefers to scan the rows of all workspaces in order.
 */
export const visibleTo = (caller: Principal, now: Date, column: string, parameters: Parameters): string =>
  caller.role === 'admin' ? 'TRUE' : `${column} = ANY(ARRAY(${visibleWorkspaces(caller, now, parameters)}))`;

interface WorkspacesQuery {
  caller: Principal;
  now: Date;
  q?: string;
  keyset: Keyset;
}

/** One page of the workspaces that the caller may see. */
export async function listWorkspaces(
  manager: EntityManager,
  { caller, now, q, keyset }: WorkspacesQuery,
): Promise<VisibleWorkspace[]> {
  const parameters = new Parameters();
  const isVisible = visibleTo(caller, now, 'id', parameters);
  const { follows, order, limit } = keysetSql(keyset, parameters);
  const search = q === undefined ? undefined : new NameSearch(q);
  const isFound = search?.matches('name_key', parameters.add(search.value)) ?? 'TRUE';
  // Reads a member's few workspaces first and then sorts them, instead of scanning all workspaces in sort order.
  const visible = caller.role === 'admin' ? 'NOT MATERIALIZED' : 'MATERIALIZED';
  const { rows } = await execute<VisibleWorkspace>(
    manager,
    `WITH visible AS ${visible} (SELECT * FROM workspaces WHERE retired_at IS NULL AND ${isVisible})
     SELECT ${columns} FROM visible WHERE ${follows} AND ${isFound} ORDER BY ${order} LIMIT ${limit}`,
    parameters.values,
    q === undefined,
  );
  return rows;
}

/** Returns those of the given workspaces that the caller may see. */
export async function findVisible(
  manager: EntityManager,
  caller: Principal,
  now: Date,
  ids: readonly string[],
): Promise<VisibleWorkspace[]> {
  const parameters = new Parameters();
  const { rows } = await execute<VisibleWorkspace>(
    manager,
    `SELECT ${columns} FROM workspaces WHERE id = ANY(${parameters.add(ids)}::uuid[]) AND retired_at IS NULL
       AND ${visibleTo(caller, now, 'id', parameters)}`,
    parameters.values,
  );
  return rows;
}

/** SQL subquery: ids of the workspaces that this user manages now. */
export const managedBy = (userId: string, now: string): string =>
  `SELECT workspace_id FROM memberships
   WHERE user_id = ${userId} AND role = 'manager' AND (expires_at IS NULL OR expires_at > ${now})`;

/** Serializes changes of the rights in these workspaces with the transaction. */
export const lockWorkspaces = (tx: EntityManager, ids: readonly string[]): Promise<unknown> =>
  tx.query('SELECT FROM workspaces WHERE id = ANY($1) ORDER BY id FOR SHARE', [ids]);

/** Power BI ids of the workspaces in which at least one user has a valid grant. */
export const usedWorkspaces = (manager: EntityManager): Promise<{ id: string }[]> =>
  manager.query(
    `SELECT pbi_workspace_id AS id FROM workspaces
     WHERE id IN (SELECT workspace_id FROM memberships WHERE expires_at IS NULL OR expires_at > now())`,
  );
