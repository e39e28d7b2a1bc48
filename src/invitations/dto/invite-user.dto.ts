import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, IsIn, ValidateNested } from 'class-validator';
import type { PlatformRole } from '../../core/http/principal.js';
import { IsTime } from '../../core/validation/times.js';
import { IsId, IsName, OptionalField } from '../../core/validation/validators.js';
import { IsEmailAddress } from '../../core/validation/email-address.js';
import { type WorkspaceRole, workspaceRoles } from '../../workspaces/membership.entity.js';

export class InviteGrantDto {
  @IsId()
  workspace_id!: string;

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

/** One workspace is one, in whatever case; what is no grant at all is told by the other validators. */
const workspaceOf = (grant?: Partial<Record<keyof InviteGrantDto, unknown>>): unknown =>
  typeof grant?.workspace_id === 'string' ? grant.workspace_id.toLowerCase() : grant;

export class InviteUserDto {
  @IsEmailAddress()
  email!: string;

  @OptionalField()
  @IsName()
  name?: string;

  /** Only admins invite admins. */
  @OptionalField()
  @IsIn(['admin', 'member'])
  role: PlatformRole = 'member';

  /** What the person may see from the start. */
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(100)
  @ArrayUnique(workspaceOf)
  @ValidateNested({ each: true })
  @Type(() => InviteGrantDto)
  workspaces: InviteGrantDto[] = [];
}
