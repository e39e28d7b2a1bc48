import type { PlatformRole } from '../../core/http/principal.js';
import type { WorkspaceRole } from '../../grants/roles.js';
import type { Delivery, Invitation } from '../invitation.entity.js';
import type { Invited } from '../invitation-issuance.service.js';

export type InvitationStatus = 'pending' | 'accepted' | 'expired' | 'revoked';

export const statusOf = (invitation: Invitation, now: Date): InvitationStatus => {
  if (invitation.acceptedAt !== null) return 'accepted';
  // An invitation that expired before it was superseded also has `revokedAt`; its status stays `expired`.
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
  /** Delivery status of the invitation email. */
  delivery!: Delivery;
  /** Error of the last failed delivery attempt. Omitted if there is none. */
  delivery_error?: string;
  /**
   * Link to accept the invitation. Returned only to admins, only if no mail server is configured, and only in the
   * response to the request that creates the link.
   */
  accept_url?: string;
  /** Id of the inviter. */
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
