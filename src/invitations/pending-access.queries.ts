// SQL, because one query is a part of the statements of others; all else are repository calls.
import { type EntityManager, In } from 'typeorm';
import { type NewGrant, targetIdOf } from '../access/grants/grant.js';
import type { Grant } from '../access/grants/grant.entity.js';
import { PendingGrant, PendingGroup, PendingReportGrant } from './invitation.entity.js';

/** What an invitation confers. */
export interface Access {
  /** On workspaces and on single reports. */
  grants: NewGrant[];
  /** Ids of the groups that the user joins. */
  groups: string[];
}

/** The same as stored until acceptance, with the user who gave each part. */
export interface PendingAccess {
  grants: (NewGrant & Pick<PendingGrant, 'invitationId' | 'grantedBy'>)[];
  groups: PendingGroup[];
}

export async function pendingAccessOf(tx: EntityManager, ...invitationIds: string[]): Promise<PendingAccess> {
  const where = { invitationId: In(invitationIds) };
  const workspaces = await tx.find(PendingGrant, { where, order: { workspaceId: 'ASC' } });
  const reports = await tx.find(PendingReportGrant, { where, order: { reportId: 'ASC' } });
  const groups = await tx.find(PendingGroup, { where, order: { group: 'ASC' } });
  return { grants: [...workspaces, ...reports], groups };
}

/** What the invitation still confers: without grants that have expired. */
export async function lastingAccessOf(
  tx: EntityManager,
  invitationId: string,
  now: Date,
): Promise<PendingAccess> {
  const { grants, groups } = await pendingAccessOf(tx, invitationId);
  return { grants: grants.filter(({ expiresAt }) => expiresAt === null || expiresAt > now), groups };
}

/** A manual grant that the user received after the invitation takes precedence over it. */
export function withoutNewer({ grants, groups }: Access, invitedAt: Date, held: readonly Grant[]): Access {
  const newer = held.filter(({ source, createdAt }) => source === 'manual' && createdAt > invitedAt);
  const targets = new Set(newer.map(targetIdOf));
  return { grants: grants.filter((grant) => !targets.has(targetIdOf(grant))), groups };
}

/** A grant on the same target replaces the existing one. Returns everything that the invitation confers. */
export async function addAccess(
  tx: EntityManager,
  invitationId: string,
  grantedBy: string,
  { grants, groups }: Access,
): Promise<PendingAccess> {
  const rows = grants.map((grant) => ({ invitationId, grantedBy, ...grant }));
  const workspaces = rows.filter(({ reportId }) => reportId === undefined);
  const reports = rows.filter(({ reportId }) => reportId !== undefined);
  const joined = groups.map((group) => ({ invitationId, grantedBy, group }));
  // An upsert without rows is not valid SQL.
  if (workspaces.length > 0) await tx.upsert(PendingGrant, workspaces, ['invitationId', 'workspaceId']);
  if (reports.length > 0)
    await tx.upsert(PendingReportGrant, reports as PendingReportGrant[], ['invitationId', 'reportId']);
  if (joined.length > 0) await tx.upsert(PendingGroup, joined, ['invitationId', 'group']);
  return pendingAccessOf(tx, invitationId);
}

/** What the invitation confers, for the audit trail; only the kinds that it contains. */
export function idsOf({ grants, groups }: PendingAccess): Record<string, string[]> {
  const ids = {
    workspace_ids: grants.filter(({ reportId }) => reportId === undefined).map((one) => one.workspaceId),
    report_ids: grants.flatMap(({ reportId }) => reportId ?? []),
    group_ids: groups.map(({ group }) => group),
  };
  return Object.fromEntries(Object.entries(ids).filter(([, found]) => found.length > 0));
}

/** Whether an invitation confers grants on these targets, and these groups. */
export const isAbout = (given: PendingAccess, invitationId: string, { grants, groups }: Access): boolean =>
  grants.every(({ workspaceId, reportId }) =>
    given.grants.some(
      (one) =>
        one.invitationId === invitationId && one.workspaceId === workspaceId && one.reportId === reportId,
    ),
  ) &&
  groups.every((group) =>
    given.groups.some((one) => one.invitationId === invitationId && one.group === group),
  );

/** SQL query: invitation_id, workspace_id and granted_by of every pending grant on a workspace or a report of it. */
export const pendingGrants = `SELECT invitation_id, workspace_id, granted_by FROM invitation_grants
  UNION ALL SELECT invitation_id, workspace_id, granted_by FROM invitation_report_grants`;
