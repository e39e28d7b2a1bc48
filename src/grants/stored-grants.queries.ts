import type { EntityManager } from 'typeorm';
import { execute } from '../core/database/execute.js';
import type { Grant, Holder, StoredGrant, Target } from './grant.js';
import { groupsOf } from '../groups/groups.queries.js';
import { isActive } from './grants.queries.js';
import type { GrantSource } from './roles.js';

const columns = `CASE WHEN user_id IS NULL THEN 'group' ELSE 'user' END AS "holderType",
  coalesce(user_id, group_id) AS "holderId", workspace_id AS "workspaceId", role, source,
  expires_at AS "expiresAt", granted_by AS "grantedBy", created_at AS "createdAt"`;
const workspaceGrants = `SELECT ${columns}, NULL::uuid AS "reportId" FROM workspace_grants`;
const reportGrants = `SELECT ${columns}, report_id AS "reportId" FROM report_grants`;

const holderColumn = ({ type }: Holder): string => (type === 'user' ? 'user_id' : 'group_id');
/** A grant with the same role, expiry and kind of right is not written again. */
const unlessSame = (table: string): string =>
  `DO UPDATE SET role = excluded.role, expires_at = excluded.expires_at, granted_by = excluded.granted_by,
     created_at = excluded.created_at, by_derived_right = excluded.by_derived_right
   WHERE (${table}.role, ${table}.expires_at, ${table}.by_derived_right)
     IS DISTINCT FROM (excluded.role, excluded.expires_at, excluded.by_derived_right)
   RETURNING`;

type GrantRow = Omit<Grant, 'grantedBy'> & { grantedBy: string | null };

interface GrantRows {
  holder: Holder;
  /** One for each target. */
  grants: readonly GrantRow[];
  source: GrantSource;
  now: Date;
}

/** The id of the report or, for a whole workspace, of the workspace. */
const targetOf = ({ workspaceId, reportId }: Target): string => reportId ?? workspaceId;

/** Workspaces and reports are in different tables. */
const tables = [
  {
    table: 'workspace_grants',
    column: 'workspace_id',
    has: ({ reportId }: Target) => reportId === undefined,
  },
  { table: 'report_grants', column: 'report_id', has: ({ reportId }: Target) => reportId !== undefined },
];

/** Replaces the grants of the same holder, targets and source. Returns those that are not the same. */
export async function upsertGrants(
  tx: EntityManager,
  { holder, grants, source, now }: GrantRows,
): Promise<GrantRow[]> {
  const holding = holderColumn(holder);
  const written = new Set<string>();
  for (const { table, column, has } of tables) {
    const rows = grants.filter(has);
    if (rows.length === 0) continue;
    const found = await execute<{ id: string }>(
      tx,
      `INSERT INTO ${table} (${column}, ${holding}, source, role, expires_at, granted_by, created_at, by_derived_right)
       SELECT target, $1::uuid, $2::text, role, expires_at, granted_by, $3::timestamptz, is_derived
       FROM unnest($4::uuid[], $5::text[], $6::timestamptz[], $7::uuid[], $8::boolean[])
         AS given (target, role, expires_at, granted_by, is_derived) ORDER BY target
       ON CONFLICT (${holding}, ${column}, source) ${unlessSame(table)} ${column} AS id`,
      [
        holder.id,
        source,
        now,
        rows.map(targetOf),
        rows.map(({ role }) => role),
        rows.map(({ expiresAt }) => expiresAt),
        rows.map(({ grantedBy }) => grantedBy),
        rows.map(({ isByDerivedRight = false }) => isByDerivedRight),
      ],
    );
    for (const { id } of found.rows) written.add(id);
  }
  return grants.filter((grant) => written.has(targetOf(grant).toLowerCase()));
}

/** Returns those of these targets on which there was a grant. */
export async function deleteGrants(
  tx: EntityManager,
  holder: Holder,
  targets: readonly Target[],
  source: GrantSource,
): Promise<Target[]> {
  const deleted = new Set<string>();
  for (const { table, column, has } of tables) {
    const ids = targets.filter(has).map(targetOf);
    if (ids.length === 0) continue;
    const found = await execute<{ id: string }>(
      tx,
      `DELETE FROM ${table} WHERE ${column} = ANY($1::uuid[]) AND ${holderColumn(holder)} = $2 AND source = $3
       RETURNING ${column} AS id`,
      [ids, holder.id, source],
    );
    for (const { id } of found.rows) deleted.add(id);
  }
  return targets.filter((target) => deleted.has(targetOf(target).toLowerCase()));
}

export async function deleteGrantsOf(tx: EntityManager, userId: string): Promise<void> {
  await tx.query('DELETE FROM workspace_grants WHERE user_id = $1', [userId]);
  await tx.query('DELETE FROM report_grants WHERE user_id = $1', [userId]);
}

/** Returns the users' own grants on the workspace, expired ones included, in order of expiry. */
export const findMembers = (
  manager: EntityManager,
  workspaceId: string,
  userIds: readonly string[],
): Promise<StoredGrant[]> =>
  manager.query(`${workspaceGrants} WHERE workspace_id = $1 AND user_id = ANY($2) ORDER BY expires_at`, [
    workspaceId,
    userIds,
  ]);

/** Returns the user's own active grants on workspaces and reports, oldest first. */
export const findActiveGrants = (
  manager: EntityManager,
  userId: string,
  now: Date,
): Promise<StoredGrant[]> => {
  const where = `user_id = $1 AND ${isActive('$2')}`;
  return manager.query(
    `${workspaceGrants} WHERE ${where} UNION ALL ${reportGrants} WHERE NOT is_retired AND ${where}
     ORDER BY "createdAt", "workspaceId"`,
    [userId, now],
  );
};

/** Returns the user's own grants of one source, also expired ones and those on retired reports. */
export const findOwnGrants = (
  manager: EntityManager,
  userId: string,
  source: GrantSource,
): Promise<StoredGrant[]> =>
  manager.query(
    `${workspaceGrants} WHERE user_id = $1 AND source = $2
     UNION ALL ${reportGrants} WHERE user_id = $1 AND source = $2 ORDER BY "createdAt", "workspaceId", "reportId"`,
    [userId, source],
  );

/** SQL: the active grants on a workspace or on one report. `id` and `now` are placeholders. */
export const grantsOn = ({ reportId }: Target, { id, now }: { id: string; now: string }): string =>
  reportId === undefined
    ? `${workspaceGrants} WHERE workspace_id = ${id} AND ${isActive(now)}`
    : `${reportGrants} WHERE report_id = ${id} AND ${isActive(now)}`;

/** The grants of a user and of the user's groups on the workspace and on its report, expired ones included, in order of expiry. */
export const findGrantsHeldBy = (
  manager: EntityManager,
  userId: string,
  { workspaceId, reportId }: Target,
): Promise<StoredGrant[]> => {
  const isHeld = `(user_id = $1 OR group_id IN (${groupsOf('$1')}))`;
  return manager.query(
    `${workspaceGrants} WHERE workspace_id = $2 AND ${isHeld}
     UNION ALL
     ${reportGrants} WHERE report_id = $3 AND ${isHeld}
     ORDER BY "expiresAt"`,
    [userId, workspaceId, reportId ?? null],
  );
};
