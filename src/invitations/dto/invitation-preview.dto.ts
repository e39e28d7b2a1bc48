import { Length } from 'class-validator';
import type { PlatformRole } from '../../core/http/principal.js';
import { IsText } from '../../core/validation/validators.js';
import type { ReportRole, WorkspaceRole } from '../../access/grants/grant.js';
import { MAX_PASSWORD_INPUT } from '../../users/password-rules.js';
import type { InvitationPreview } from '../invitation-preview.service.js';

export class PreviewInvitationDto {
  /** The secret after `#token=` in the invitation link. */
  @IsText()
  @Length(1, MAX_PASSWORD_INPUT)
  token!: string;
}

export class PreviewedWorkspaceDto {
  name!: string;
  role!: WorkspaceRole;
}

export class PreviewedReportDto {
  name!: string;
  role!: ReportRole;
}

export class InvitationPreviewDto {
  /** Address that the invitation was sent to: the email of the account. */
  email!: string;
  /** Name of the account, unless the user chooses another one. */
  name!: string | null;
  role!: PlatformRole;
  /** Name of the inviter; null for a service account. */
  invited_by_name!: string | null;
  /** Workspaces that the user gets access to. */
  workspaces!: PreviewedWorkspaceDto[];
  /** Single reports that the user gets access to. */
  reports!: PreviewedReportDto[];
  expires_at!: Date;

  static from({ invitation, inviter, workspaces, reports }: InvitationPreview): InvitationPreviewDto {
    return {
      email: invitation.email,
      name: invitation.name,
      role: invitation.role,
      invited_by_name: inviter,
      workspaces: workspaces.map(({ name, role }) => ({ name, role })),
      reports: reports.map(({ name, role }) => ({ name, role: role as ReportRole })),
      expires_at: invitation.expiresAt,
    };
  }
}
