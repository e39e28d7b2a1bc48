import { IsIn } from 'class-validator';
import type { PlatformRole } from '../../core/http/principal.js';
import type { ReportRole, WorkspaceRole } from '../../access/grants/grant.js';
import { CountedListQuery } from '../../core/lists/list-query.dto.js';
import { SortedBy, type SortKeys } from '../../core/lists/pagination.js';
import { OptionalField } from '../../core/validation/validators.js';
import { deliveries, type Delivery, type Invitation } from '../invitation.entity.js';
import type { Invited } from '../invitation-issuance.service.js';

export type InvitationStatus = 'pending' | 'accepted' | 'expired' | 'revoked';

export const statusOf = (invitation: Invitation, now: Date): InvitationStatus => {
  if (invitation.acceptedAt !== null) return 'accepted';
  if (invitation.revokedAt !== null) return 'revoked';
  return invitation.expiresAt <= now ? 'expired' : 'pending';
};

export class InvitationGrantDto {
  workspace_id!: string;
  role!: WorkspaceRole;
  expires_at!: Date | null;
}

export class InvitationReportGrantDto {
  report_id!: string;
  role!: ReportRole;
  expires_at!: Date | null;
}

export class InvitationDto {
  id!: string;
  email!: string;
  name!: string | null;
  role!: PlatformRole;
  workspaces!: InvitationGrantDto[];
  /** Grants on single reports. */
  reports!: InvitationReportGrantDto[];
  /** Ids of the groups that the user joins. */
  groups!: string[];
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

  static from({ invitation, grants, groups, acceptUrl }: Invited, now: Date): InvitationDto {
    return {
      id: invitation.id,
      email: invitation.email,
      name: invitation.name,
      role: invitation.role,
      workspaces: grants.flatMap(({ workspaceId, reportId, role, expiresAt }) =>
        reportId === undefined ? { workspace_id: workspaceId, role, expires_at: expiresAt } : [],
      ),
      reports: grants.flatMap(({ reportId, role, expiresAt }) =>
        reportId === undefined
          ? []
          : { report_id: reportId, role: role as ReportRole, expires_at: expiresAt },
      ),
      groups: groups.map(({ group }) => group),
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

export const invitationSortKeys: SortKeys<Invitation> = {
  created_at: { sql: 'invitation.createdAt', of: (invitation) => invitation.createdAt.toISOString() },
  email: { sql: 'invitation.email', of: (invitation) => invitation.email },
};

export class ListInvitationsQuery extends CountedListQuery {
  @SortedBy(invitationSortKeys)
  sort: string = '-created_at';

  /** Returns only invitations with this status. */
  @OptionalField()
  @IsIn(['pending', 'accepted', 'expired', 'revoked'])
  status?: InvitationStatus;

  /** Returns only invitations whose email has this delivery status. */
  @OptionalField()
  @IsIn(deliveries)
  delivery?: Delivery;
}
