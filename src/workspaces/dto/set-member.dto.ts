import { IsIn, IsISO8601 } from 'class-validator';
import { IsId, MayBeLeftOut } from '../../common/validators.js';
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

  /** When the grant ends by itself; what a manager gives ends with the manager's own time at the latest. */
  @MayBeLeftOut()
  @IsISO8601({ strict: true, strictSeparator: true })
  expires_at?: string;
}
