import { ApiProperty, ApiPropertyOptional } from '#openapi';
import { ArrayUnique, IsArray, IsIn, IsInt, Max, Min } from 'class-validator';
import { type PlatformRole, type Scope, scopes } from '../../../core/http/principal.js';
import { IsName, OptionalField } from '../../../core/validation/validators.js';
import { UpdateUserDto } from '../../../users/dto/update-user.dto.js';
import { IsUserAttributes } from '../../../users/user-attributes.js';

const MAX_DAYS = 365;

export class CreateSecretDto {
  /** Days until the secret expires. */
  @OptionalField()
  @IsInt()
  @Min(1)
  @Max(MAX_DAYS)
  expires_in_days: number = MAX_DAYS;
}

export class CreateServiceAccountDto extends CreateSecretDto {
  @IsName()
  name!: string;

  @OptionalField()
  @IsIn(['admin', 'member'])
  role: PlatformRole = 'member';

  /** Rights outside `/api`: `scim` allows provisioning of users and groups. */
  @OptionalField()
  @IsArray()
  @ArrayUnique()
  @IsIn(scopes, { each: true })
  @ApiProperty({ enum: scopes, isArray: true })
  scopes: Scope[] = [];

  /** Attributes that identity policies refer to: at most 50 strings by name. */
  @OptionalField()
  @IsUserAttributes()
  attributes: Record<string, string> = {};
}

/** Omitted properties stay unchanged. */
export class UpdateServiceAccountDto extends UpdateUserDto {
  /** Replaces all existing scopes. */
  @OptionalField()
  @IsArray()
  @ArrayUnique()
  @IsIn(scopes, { each: true })
  @ApiPropertyOptional({ enum: scopes, isArray: true })
  scopes?: Scope[];
}
