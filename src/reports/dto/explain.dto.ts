import { IsId } from '../../core/validation/validators.js';
import type { PlatformRole } from '../../core/http/principal.js';
import type { GrantSource, WorkspaceRole } from '../../access/grants/grant.js';

export class ExplainQuery {
  @IsId()
  user_id!: string;

  @IsId()
  report_id!: string;
}

export class ExplainedGrantDto {
  workspace_id!: string;
  /** The report, if the grant is on this report only. */
  report_id!: string | null;
  role!: WorkspaceRole;
  source!: GrantSource;
  expires_at!: Date | null;
}

export class PathGroupDto {
  id!: string;
  name!: string;
}

/** One way in which the user holds a grant. */
export class AccessPathDto extends ExplainedGrantDto {
  /** From the group that holds the grant to the one that contains the user directly; empty for the user's own grant. */
  groups!: PathGroupDto[];
  /** Whether the grant has expired. */
  expired!: boolean;
  /** Whether this path determines the access. */
  decides!: boolean;
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
  /** The paths on which the user reaches the report, the deciding one first, at most 1,000. */
  paths!: AccessPathDto[];
}
