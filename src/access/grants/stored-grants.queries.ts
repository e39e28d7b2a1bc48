// SQL, because grants are written in one statement that returns those that changed.
import { type EntityManager, In, IsNull, MoreThan } from 'typeorm';
import { execute } from '../../core/database/execute.js';
import { groupsOf } from '../groups/groups.queries.js';
import { type GrantSource, type Holder, type NewGrant, type Target, targetIdOf } from './grant.js';
import { Grant } from './grant.entity.js';

const holderColumn = ({ type }: Holder): string => (type === 'user' ? 'user_id' : 'group_id');

type GrantRow = Omit<NewGrant, 'grantedBy'> & { grantedBy: string | null };

interface GrantRows {
  holder: Holder;
  /** One for each target. */
  grants: readonly GrantRow[];
  source: GrantSource;
  now: Date;
}

/**
 * Replaces the grants of the same holder, targets and source. Returns those that are not the same: a grant with the same role,
 * expiry and kind of right is not written again.
 */
export async function upsertGrants(
  tx: EntityManager,
  { holder, grants, source, now }: GrantRows,
): Promise<GrantRow[]> {
  if (grants.length === 0) return [];
  const { rows } = await execute<{ target: string }>(
    tx,
    `INSERT INTO grants AS stored
       (${holderColumn(holder)}, workspace_id, report_id, source, role, expires_at, granted_by, created_at, by_derived_right)
     SELECT $1::uuid, workspace, report, $2::text, role, expires_at, granted_by, $3::timestamptz, is_derived
     FROM unnest($4::uuid[], $5::uuid[], $6::text[], $7::timestamptz[], $8::uuid[], $9::boolean[])
       AS given (workspace, report, role, expires_at, granted_by, is_derived) ORDER BY report NULLS FIRST, workspace
     ON CONFLICT (user_id, report_id, workspace_id, source, group_id)
     DO UPDATE SET role = excluded.role, expires_at = excluded.expires_at, granted_by = excluded.granted_by,
       created_at = excluded.created_at, by_derived_right = excluded.by_derived_right
     WHERE (stored.role, stored.expires_at, stored.by_derived_right)
       IS DISTINCT FROM (excluded.role, excluded.expires_at, excluded.by_derived_right)
     RETURNING coalesce(report_id, workspace_id) AS target`,
    [
      holder.id,
      source,
      now,
      grants.map(({ workspaceId }) => workspaceId),
      grants.map(({ reportId = null }) => reportId),
      grants.map(({ role }) => role),
      grants.map(({ expiresAt }) => expiresAt),
      grants.map(({ grantedBy }) => grantedBy),
      grants.map(({ isByDerivedRight = false }) => isByDerivedRight),
    ],
  );
  return amongTargets(grants, rows);
}

/** Returns those of these targets on which there was a grant. */
export async function deleteGrants(
  tx: EntityManager,
  holder: Holder,
  targets: readonly Target[],
  source: GrantSource,
): Promise<Target[]> {
  if (targets.length === 0) return [];
  const { rows } = await execute<{ target: string }>(
    tx,
    `DELETE FROM grants WHERE ${holderColumn(holder)} = $1 AND source = $2
       AND (report_id = ANY($3::uuid[]) OR report_id IS NULL AND workspace_id = ANY($4::uuid[]))
     RETURNING coalesce(report_id, workspace_id) AS target`,
    [
      holder.id,
      source,
      targets.flatMap(({ reportId }) => reportId ?? []),
      targets.flatMap(({ workspaceId, reportId }) => (reportId === undefined ? workspaceId : [])),
    ],
  );
  return amongTargets(targets, rows);
}

function amongTargets<T extends Target>(all: readonly T[], rows: readonly { target: string }[]): T[] {
  const found = new Set(rows.map(({ target }) => target));
  return all.filter((one) => found.has(targetIdOf(one).toLowerCase()));
}

/** Returns the users' own grants on the workspace, expired ones included, in order of expiry. */
export const findMembers = (
  manager: EntityManager,
  workspaceId: string,
  userIds: readonly string[],
): Promise<Grant[]> =>
  manager.find(Grant, {
    where: { workspaceId, reportId: IsNull(), userId: In([...userIds]) },
    order: { expiresAt: 'ASC' },
  });

const heldBy = ({ type, id }: Holder) => (type === 'user' ? { userId: id } : { group: id });

/** Locks all grants of a holder in the order of a sync, which changes those on its reports. */
export const lockGrantsOf = (tx: EntityManager, holder: Holder): Promise<unknown> =>
  tx.find(Grant, {
    where: heldBy(holder),
    select: { id: true },
    order: { reportId: 'ASC', id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });

/** Returns the holder's own active grants on workspaces and reports, oldest first. */
export const findActiveGrants = (manager: EntityManager, holder: Holder, now: Date): Promise<Grant[]> => {
  const held = { ...heldBy(holder), isRetired: false };
  return manager.find(Grant, {
    where: [
      { ...held, expiresAt: IsNull() },
      { ...held, expiresAt: MoreThan(now) },
    ],
    order: { createdAt: 'ASC', workspaceId: 'ASC' },
  });
};

/** Returns the user's own grants of one source, also expired ones and those on retired reports. */
export const findOwnGrants = (
  manager: EntityManager,
  userId: string,
  source: GrantSource,
): Promise<Grant[]> =>
  manager.find(Grant, {
    where: { userId, source },
    order: { createdAt: 'ASC', workspaceId: 'ASC', reportId: 'ASC' },
  });

/** The grants of a user and of the user's groups on the workspace and on its report, expired ones included, in order of expiry. */
export const findGrantsHeldBy = (
  manager: EntityManager,
  userId: string,
  { workspaceId, reportId }: Required<Target>,
): Promise<Grant[]> =>
  manager
    .createQueryBuilder(Grant, 'held')
    .where(`(held.userId = :userId OR held.group IN (${groupsOf(':userId')}))`, { userId })
    .andWhere('held.workspaceId = :workspaceId', { workspaceId })
    .andWhere('(held.reportId IS NULL OR held.reportId = :reportId)', { reportId })
    .orderBy('held.expiresAt')
    .getMany();
