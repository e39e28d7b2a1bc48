import type { PlatformRole } from '../../core/http/principal.js';
import type { WorkspaceRole } from '../../workspaces/membership.entity.js';
import type { Delivery, Invitation } from '../invitation.entity.js';
import type { Invited } from '../invitations.service.js';

export type InvitationStatus = 'pending' | 'accepted' | 'expired' | 'revoked';

export const statusOf = (invitation: Invitation, now: Date): InvitationStatus => {
  if (invitation.acceptedAt !== null) return 'accepted';
  // One that had run out when a newer one took its place is closed, not revoked.
  if (invitation.revokedAt !== null && invitation.revokedAt < invitation.expiresAt) return 'revoked';
  return invitation.expiresAt <= now ? 'expired' : 'pending';
};

export class InvitationGrantDto {
  workspace_id!: string;
  role!: WorkspaceRole;
  expires_at!: Date | null;
}

export class InvitationDto {
  id!: string;
  email!: string;
  name!: string | null;
  role!: PlatformRole;
  workspaces!: InvitationGrantDto[];
  status!: InvitationStatus;
  /** What became of the mail. */
  delivery!: Delivery;
  /** Why the mail did not get there so far; only where something went wrong. */
  delivery_error?: string;
  /** The link itself: only to an admin, only where no mail server is configured, only in this answer. */
  accept_url?: string;
  /** Id of the person who invited. */
  invited_by!: string;
  created_at!: Date;
  expires_at!: Date;

  static from({ invitation, grants, acceptUrl }: Invited, now: Date): InvitationDto {
    return {
      id: invitation.id,
      email: invitation.email,
      name: invitation.name,
      role: invitation.role,
      workspaces: grants.map(({ workspaceId, role, expiresAt }) => ({
        workspace_id: workspaceId,
        role,
        expires_at: expiresAt,
      })),
      status: statusOf(invitation, now),
      delivery: invitation.delivery,
      ...(invitation.deliveryError !== null && { delivery_error: invitation.deliveryError }),
      ...(acceptUrl !== undefined && { accept_url: acceptUrl }),
      invited_by: invitation.invitedBy,
      created_at: invitation.createdAt,
      expires_at: invitation.expiresAt,
    };
  }
}

export class InvitationListDto {
  invitations!: InvitationDto[];
}
