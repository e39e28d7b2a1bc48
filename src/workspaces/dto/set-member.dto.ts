import { IsIn } from 'class-validator';
import { IsTime } from '../../core/validation/times.js';
import { IsId, OptionalField } from '../../core/validation/validators.js';
import { type WorkspaceRole, workspaceRoles } from '../../grants/roles.js';

export class MemberParams {
  @IsId()
  id!: string;

  @IsId()
  user_id!: string;
}

export class SetMemberDto {
  @IsIn(workspaceRoles)
  role!: WorkspaceRole;

  /**
   * When the grant expires. A grant from a manager expires no later than the manager's own grant. `YYYY-MM-DD`
   * (midnight UTC) or RFC 3339 with a time zone.
   */
  @OptionalField()
  @IsTime()
  expires_at?: Date;
}
