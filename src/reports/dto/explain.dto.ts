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

/** Whether somebody may see a report now, and what decides it. */
export class ExplanationDto {
  allowed!: boolean;
  /** The most that an embed token would allow; null where there is none. */
  access!: 'view' | 'edit' | null;
  /** What decides. */
  reason!: ExplainReason;
  role!: PlatformRole | null;
  /** The grant that decides, held or run out. */
  grant!: ExplainedGrantDto | null;
}
