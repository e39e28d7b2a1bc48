import { OmitType } from '#openapi';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsString,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import type { ProblemCode } from '../../core/problems/problem-catalogue.js';
import { IsTime } from '../../core/validation/times.js';
import { OptionalField } from '../../core/validation/validators.js';
import { type WorkspaceRole, workspaceRoles } from '../../access/grants/grant.js';
import { InvitationDto } from './invitation.dto.js';
import { InviteUserDto } from './invite-user.dto.js';

/** Validated line by line, so that an invalid address does not reject the others. */
export class ListedUserDto {
  @IsString()
  @MaxLength(1000)
  email!: string;

  @OptionalField()
  @IsString()
  @MaxLength(1000)
  name?: string;

  /**
   * Role of this user in all `workspaces` and on all `reports`, in place of the role that is given there. On a report,
   * `manager` is `editor`.
   */
  @OptionalField()
  @IsIn(workspaceRoles)
  role?: WorkspaceRole;
}

export class BulkInviteDto extends OmitType(InviteUserDto, ['email', 'name']) {
  /** At most 500. */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(500)
  @ValidateNested({ each: true })
  @Type(() => ListedUserDto)
  users!: ListedUserDto[];
}

export class LineProblemDto {
  /** As in a problem document. */
  code!: ProblemCode;
  detail!: string;
  /** Seconds after which the line can be sent again. */
  retry_after?: number;
}

export class BulkInvitationDto {
  /** As sent. */
  email!: string;
  /** Omitted if the line failed. */
  invitation?: InvitationDto;
  /** Whether the invitation is new. Otherwise a pending one was renewed, or an existing account received the grants. */
  created?: boolean;
  /** Omitted if the line succeeded. */
  problem?: LineProblemDto;
}

export class BulkInvitationListDto {
  /** One for each user of the request, in the same order, or for each invitation that was resent. */
  results!: BulkInvitationDto[];
}

export class ResendInvitationsDto {
  /**
   * Resends only invitations whose last email was sent at this time or before: `YYYY-MM-DD` in `USAGE_TIME_ZONE` (the start of
   * the day) or RFC 3339 with a time zone. A time of the last minute counts as one minute ago.
   */
  @OptionalField()
  @IsTime()
  mailed_before?: string;
}

export class ResentInvitationListDto extends BulkInvitationListDto {
  /** The time that applied. With it, the next request leaves out what this one resent. */
  mailed_before!: Date;
}
