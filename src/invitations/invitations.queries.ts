import type { EntityManager } from 'typeorm';
import type { Grant } from '../workspaces/memberships.service.js';
import { InvitationGrant } from './invitation-grant.entity.js';

export const grantsOf = (tx: EntityManager, invitationId: string): Promise<InvitationGrant[]> =>
  tx.find(InvitationGrant, { where: { invitationId }, order: { workspaceId: 'ASC' } });

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
