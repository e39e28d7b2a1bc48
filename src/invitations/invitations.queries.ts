import { type EntityManager, In, type SelectQueryBuilder } from 'typeorm';
import type { Principal } from '../common/principal.js';
import type { Grant } from '../workspaces/memberships.service.js';
import type { InvitationStatus } from './dto/invitation.dto.js';
import { Invitation } from './invitation.entity.js';
import { InvitationGrant } from './invitation-grant.entity.js';

export const grantsOf = (tx: EntityManager, ...invitationIds: string[]): Promise<InvitationGrant[]> =>
  tx.find(InvitationGrant, { where: { invitationId: In(invitationIds) }, order: { workspaceId: 'ASC' } });

/** Adds grants; a new one for the same workspace takes the old one's place. Answers all that there are then. */
export async function addGrants(
  tx: EntityManager,
  invitationId: string,
  grantedBy: string,
  grants: readonly Grant[],
): Promise<InvitationGrant[]> {
  if (grants.length > 0) {
    const rows = grants.map((grant) => ({ invitationId, grantedBy, ...grant }));
    await tx.upsert(InvitationGrant, rows, ['invitationId', 'workspaceId']);
  }
  return grantsOf(tx, invitationId);
}

/**
 * Leaves only what the caller has a say over: an admin any, a manager member invitations that lie wholly inside
 * workspaces managed now, and did so when they were made. One that somebody else made without any workspace stays
 * theirs, whatever grants a manager adds to it.
 */
export function onlyOwn(
  query: SelectQueryBuilder<Invitation>,
  caller: Principal,
  now: Date,
): SelectQueryBuilder<Invitation> {
  if (caller.role === 'admin') return query;
  const managed = `SELECT workspace_id FROM memberships
    WHERE user_id = :callerId AND role = 'manager' AND (expires_at IS NULL OR expires_at > :now)`;
  return query
    .andWhere(`invitation.role = 'member'`)
    .andWhere(
      `EXISTS (SELECT FROM invitation_grants g
        WHERE g.invitation_id = invitation.id AND g.granted_by = invitation.invited_by)`,
    )
    .andWhere(
      `NOT EXISTS (SELECT FROM invitation_grants g
        WHERE g.invitation_id = invitation.id AND g.workspace_id NOT IN (${managed}))`,
      { callerId: caller.id, now },
    );
}

/** Whether the caller may have another link sent: an admin of any, a manager of what is theirs from end to end. */
export async function isWhollyOf(
  tx: EntityManager,
  caller: Principal,
  { id, invitedBy }: Invitation,
  now: Date,
): Promise<boolean> {
  if (caller.role === 'admin') return true;
  const query = tx.createQueryBuilder(Invitation, 'invitation').where('invitation.id = :id', { id });
  return invitedBy === caller.id && onlyOwn(query, caller, now).getExists();
}

const open = 'invitation.acceptedAt IS NULL AND invitation.revokedAt IS NULL';

/** The same as `statusOf`, in SQL. */
export const statusConditions: Record<InvitationStatus, string> = {
  pending: `${open} AND invitation.expiresAt > :now`,
  accepted: 'invitation.acceptedAt IS NOT NULL',
  revoked: 'invitation.acceptedAt IS NULL AND invitation.revokedAt < invitation.expiresAt',
  expired: `invitation.acceptedAt IS NULL AND invitation.expiresAt <= :now
    AND (invitation.revokedAt IS NULL OR invitation.revokedAt >= invitation.expiresAt)`,
};
