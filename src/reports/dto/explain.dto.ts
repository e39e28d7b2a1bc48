import { IsId } from '../../core/validation/validators.js';
import type { PlatformRole } from '../../core/http/principal.js';
import type { WorkspaceRole } from '../../workspaces/membership.entity.js';

export class ExplainQuery {
  @IsId()
  user_id!: string;

  @IsId()
  report_id!: string;
}

export class ExplainedGrantDto {
  workspace_id!: string;
  role!: WorkspaceRole;
  source!: 'manual' | 'provider';
  expires_at!: Date | null;
}

export type ExplainReason =
  'admin' | 'grant' | 'grant_expired' | 'no_grant' | 'user_disabled' | 'report_retired';

/** Whether a user can access a report now, and why. */
export class ExplanationDto {
  allowed!: boolean;
  /** Highest access level that an embed token would allow; null if access is denied. */
  access!: 'view' | 'edit' | null;
  /** Reason for the decision. */
  reason!: ExplainReason;
  role!: PlatformRole | null;
  /** The deciding grant, active or expired; null if there is none. */
  grant!: ExplainedGrantDto | null;
}
