import { IsIn, IsInt, Max, Min } from 'class-validator';
import type { PlatformRole } from '../../core/http/principal.js';
import { IsId, IsName, OptionalField } from '../../core/validation/validators.js';
import { IsUserAttributes } from '../../users/user-attributes.js';

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

  /** Attributes that identity policies refer to: at most 50 strings by name. */
  @OptionalField()
  @IsUserAttributes()
  attributes: Record<string, string> = {};
}

export class SecretParams {
  @IsId()
  id!: string;

  @IsId()
  secret_id!: string;
}
