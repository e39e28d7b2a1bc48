import { IsIn } from 'class-validator';
import { IsTime } from '../../core/validation/times.js';
import { OptionalField } from '../../core/validation/validators.js';
import { type WorkspaceRole, workspaceRoles } from '../../access/grants/roles.js';

export class SetMemberDto {
  @IsIn(workspaceRoles)
  role!: WorkspaceRole;

  /**
   * When the grant expires: `YYYY-MM-DD` in `USAGE_TIME_ZONE` or RFC 3339 with a time zone. A day ends the grant at its end. A
   * grant from a manager expires no later than the manager's own grant.
   */
  @OptionalField()
  @IsTime()
  expires_at?: string;
}
