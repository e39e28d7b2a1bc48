import { IsIn } from 'class-validator';
import { IsTime } from '../../core/validation/times.js';
import { IsId, OptionalField } from '../../core/validation/validators.js';
import { type WorkspaceRole, workspaceRoles } from '../membership.entity.js';

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
   * When the grant ends by itself; what a manager gives ends with the manager's own time at the latest.
   * `YYYY-MM-DD` (midnight UTC) or RFC 3339 with a zone.
   */
  @OptionalField()
  @IsTime()
  expires_at?: Date;
}
