// SQL, because it reads the effective grants; measured.
import { Any, type EntityManager } from 'typeorm';
import { nameKeyOf } from '../core/lists/fold-name.js';
import { NameRank, type Rank } from '../core/lists/name-rank.js';
import { matchesName } from '../core/lists/name-search.js';
import { type Keyset, keysetSql } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { Parameters, queryRows } from '../core/database/execute.js';
import { toUuid } from '../core/validation/text.js';
import { effectiveGrants, type GrantScope, usedWorkspaceIds } from '../access/grants/grants.queries.js';
import { Workspace } from './workspace.entity.js';

/** SQL query: ids of the retired workspaces. */
export const retiredWorkspaces = 'SELECT id FROM workspaces WHERE retired_at IS NOT NULL';

/** What a caller sees of a workspace, and its sort key. */
export type VisibleWorkspace = Pick<
  Workspace,
  'id' | 'name' | 'nameKey' | 'pbiWorkspaceId' | 'viewersCanExport' | 'contactUrl' | 'reportCount'
>;

const columns = `id, name, name_key AS "nameKey", pbi_workspace_id AS "pbiWorkspaceId",
  viewers_can_export AS "viewersCanExport", contact_url AS "contactUrl", report_count AS "reportCount"`;

export const scopeOf = ({ id }: Principal, now: Date, parameters: Parameters): GrantScope => ({
  user: parameters.add(id),
  now: parameters.add(now),
});

/**
 * SQL: the CTE `visible` with the workspaces that the caller may see. Someone who holds only grants on reports of a
 * workspace sees it with the number of these reports. `where` is a further condition on grants.
 */
export function visibleWorkspaces(
  caller: Principal,
  now: Date,
  parameters: Parameters,
  where = 'TRUE',
): string {
  const own = 'id, name, name_key, pbi_workspace_id, viewers_can_export, contact_url';
  if (caller.role === 'admin')
    return `WITH visible AS NOT MATERIALIZED (
      SELECT ${own}, report_count FROM workspaces WHERE retired_at IS NULL)`;
  const scope = scopeOf(caller, now, parameters);
  // Groups the grants of the member and reads these few workspaces by id, which OFFSET 0 enforces, instead of scanning all workspaces.
  return `WITH visible AS MATERIALIZED (
      SELECT ${own}, CASE WHEN is_whole THEN report_count ELSE shared END AS report_count
      FROM (SELECT workspace_id, bool_or(report_id IS NULL) AS is_whole, count(report_id)::int AS shared
        FROM (SELECT DISTINCT workspace_id, report_id FROM ${effectiveGrants(scope)} WHERE ${where}) AS granted
        GROUP BY workspace_id) AS seen
      CROSS JOIN LATERAL (SELECT * FROM workspaces WHERE id = workspace_id AND retired_at IS NULL OFFSET 0) AS workspace)`;
}

interface WorkspacesQuery {
  caller: Principal;
  now: Date;
  q?: string;
  keyset: Keyset;
}

/** One page of the workspaces that the caller may see. */
export function listWorkspaces(
  manager: EntityManager,
  { caller, now, q, keyset }: WorkspacesQuery,
): Promise<VisibleWorkspace[]> {
  const parameters = new Parameters();
  const visible = visibleWorkspaces(caller, now, parameters);
  const { follows, order, limit } = keysetSql(keyset, parameters);
  const isFound = matchesName(q, 'name_key', parameters);
  return queryRows<VisibleWorkspace>(
    manager,
    `${visible} SELECT ${columns} FROM visible WHERE ${follows} AND ${isFound} ORDER BY ${order} LIMIT ${limit}`,
    parameters.values,
    q === undefined,
  );
}

/** Returns those of the given workspaces that the caller may see. */
export function findVisible(
  manager: EntityManager,
  caller: Principal,
  now: Date,
  ids: readonly string[],
): Promise<VisibleWorkspace[]> {
  const parameters = new Parameters();
  const given = `ANY(${parameters.add(ids)}::uuid[])`;
  const visible = visibleWorkspaces(caller, now, parameters, `workspace_id = ${given}`);
  return queryRows<VisibleWorkspace>(
    manager,
    `${visible} SELECT ${columns} FROM visible WHERE id = ${given}`,
    parameters.values,
  );
}

/** Serializes changes of the rights in these workspaces with the transaction. */
export const lockWorkspaces = (tx: EntityManager, ids: readonly string[]): Promise<unknown> =>
  tx.find(Workspace, {
    where: { id: Any([...ids]) },
    select: { id: true },
    order: { id: 'ASC' },
    lock: { mode: 'pessimistic_read' },
  });

/** Finds workspaces by id, Power BI id or name. */
export function findByReference(
  manager: EntityManager,
  references: readonly string[],
): Promise<{ reference: string; id: string }[]> {
  // Each part reads an index; PostgreSQL would compare every workspace with every reference for an OR.
  const among = (condition: string): string =>
    `SELECT reference, workspaces.id FROM given JOIN workspaces ON ${condition} WHERE retired_at IS NULL`;
  return queryRows<{ reference: string; id: string }>(
    manager,
    `WITH given (reference, key) AS MATERIALIZED (SELECT * FROM unnest($1::text[], $2::uuid[]))
     ${among(`name_key = ${nameKeyOf('reference')} AND name = reference`)}
     UNION ${among('workspaces.id = key')} UNION ${among('pbi_workspace_id = key')}`,
    [references, references.map(toUuid)],
  );
}

/** Those of the workspaces that exist, and whether each is present: not retired. */
export async function findPresence(
  manager: EntityManager,
  ids: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await manager.find(Workspace, {
    where: { id: Any([...ids]) },
    select: { id: true, retiredAt: true },
  });
  return new Map(rows.map(({ id, retiredAt }) => [id, retiredAt === null]));
}

/** Power BI ids of the workspaces in which at least one user or group has a valid grant. */
export async function usedWorkspaces(manager: EntityManager): Promise<string[]> {
  const rows = await manager
    .createQueryBuilder(Workspace, 'workspace')
    .where(`workspace.id IN (${usedWorkspaceIds('now()')})`)
    .getMany();
  return rows.map(({ pbiWorkspaceId }) => pbiWorkspaceId);
}

type FoundWorkspace = Pick<Workspace, 'id' | 'name'> & { rank: Rank };

/** A search of names among what the caller may see. */
export interface CallerSearch {
  caller: Principal;
  now: Date;
  q: string;
  limit: number;
}

/** The workspaces that the caller may see whose names match best. */
export function searchWorkspaces(
  manager: EntityManager,
  { caller, now, q, limit }: CallerSearch,
): Promise<FoundWorkspace[]> {
  const parameters = new Parameters();
  const visible = visibleWorkspaces(caller, now, parameters);
  const name = new NameRank(q, parameters);
  return queryRows<FoundWorkspace>(
    manager,
    `${visible} SELECT id, name, ${name.rank('name_key')} AS rank FROM visible
     WHERE ${name.matches('name_key')} ORDER BY rank, name_key, id LIMIT ${parameters.add(limit)}`,
    parameters.values,
    false,
  );
}
