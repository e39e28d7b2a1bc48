import type { EntityManager } from 'typeorm';
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
   RETURNING role`;

interface GrantRow {
  holder: Holder;
  grant: Grant;
  source: GrantSource;
  grantedBy: string | null;
  now: Date;
}

/** Replaces the grant of the same holder, target and source. Returns false if that is the same. */
export async function upsertGrant(tx: EntityManager, row: GrantRow): Promise<boolean> {
  const { holder, grant, source, grantedBy, now } = row;
  const column = holderColumn(holder);
  const text =
    grant.reportId === undefined
      ? `INSERT INTO workspace_grants (workspace_id, ${column}, source, role, expires_at, granted_by, created_at,
           by_derived_right)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (${column}, workspace_id, source) ${unlessSame('workspace_grants')}`
      : `INSERT INTO report_grants (report_id, ${column}, source, role, expires_at, granted_by, created_at,
           by_derived_right)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (${column}, report_id, source) ${unlessSame('report_grants')}`;
  const target = grant.reportId ?? grant.workspaceId;
  const { role, expiresAt, isByDerivedRight = false } = grant;
  const values = [target, holder.id, source, role, expiresAt, grantedBy, now, isByDerivedRight];
  return (await tx.query<unknown[]>(text, values)).length > 0;
}

/** Returns whether there was such a grant. */
export async function deleteGrant(
  tx: EntityManager,
  holder: Holder,
  { workspaceId, reportId }: Target,
  source: GrantSource,
): Promise<boolean> {
  const own = `${holderColumn(holder)} = $2 AND source = $3`;
  const text =
    reportId === undefined
      ? `DELETE FROM workspace_grants WHERE workspace_id = $1 AND ${own}`
      : `DELETE FROM report_grants WHERE report_id = $1 AND ${own}`;
  const [, count] = await tx.query<[unknown[], number]>(text, [reportId ?? workspaceId, holder.id, source]);
  return count > 0;
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
