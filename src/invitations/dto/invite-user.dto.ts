import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, IsIn, MaxLength, ValidateNested } from 'class-validator';
import type { PlatformRole } from '../../core/http/principal.js';
import { IsId, IsName, IsReadableText, OptionalField } from '../../core/validation/validators.js';
import { IsEmailAddress } from '../../core/validation/email-address.js';
import { SetMemberDto } from '../../workspaces/dto/member.dto.js';
import { SetReportGrantDto } from '../../workspaces/dto/target-grant.dto.js';

export class InviteGrantDto extends SetMemberDto {
  @IsId()
  workspace_id!: string;
}

export class InviteReportDto extends SetReportGrantDto {
  @IsId()
  report_id!: string;
}

export class InviteUserDto {
  @IsEmailAddress()
  email!: string;

  @OptionalField()
  @IsName()
  name?: string;

  /** Platform role of the invited user. Only admins can invite admins. */
  @OptionalField()
  @IsIn(['admin', 'member'])
  role: PlatformRole = 'member';

  /** Words for the recipient, on one line. They are in this email only, not in one that is sent again. */
  @OptionalField()
  @IsReadableText()
  @MaxLength(500)
  message?: string;

  /** Workspaces that the user gets access to when the invitation is accepted. */
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(100)
  @ArrayUnique((grant?: Partial<InviteGrantDto>) => grant?.workspace_id ?? grant)
  @ValidateNested({ each: true })
  @Type(() => InviteGrantDto)
  workspaces: InviteGrantDto[] = [];

  /** Single reports that the user gets access to. Managers grant reports of the workspaces that they manage. */
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(100)
  @ArrayUnique((grant?: Partial<InviteReportDto>) => grant?.report_id ?? grant)
  @ValidateNested({ each: true })
  @Type(() => InviteReportDto)
  reports: InviteReportDto[] = [];

  /** Ids of groups that the user joins. Only admins can add users to groups. */
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(100)
  @ArrayUnique()
  @IsId({ each: true })
  groups: string[] = [];
}
