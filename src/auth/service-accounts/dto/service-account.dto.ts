import { ApiProperty, ApiPropertyOptional, OmitType } from '#openapi';
import { ArrayUnique, IsArray, IsIn, IsInt, Max, Min } from 'class-validator';
import { type PlatformRole, type Scope, scopes } from '../../../core/http/principal.js';
import { IsName, OptionalField } from '../../../core/validation/validators.js';
import { SortedBy } from '../../../core/lists/pagination.js';
import { ListUsersQuery, UpdateUserDto, userSortKeys } from '../../../users/dto/user.dto.js';
import { IsUserAttributes } from '../../../users/user-attributes.js';
import type { User, UserStatus } from '../../../users/user.entity.js';
import type { ServiceAccountSecret } from '../service-account-secret.entity.js';
import type { NewSecret } from '../service-account-secrets.service.js';

export class ServiceAccountSecretDto {
  id!: string;
  /** Id of the admin who created it. */
  created_by!: string;
  created_at!: Date;
  expires_at!: Date;
  last_used_at!: Date | null;

  static from(secret: ServiceAccountSecret): ServiceAccountSecretDto {
    return {
      id: secret.id,
      created_by: secret.createdBy,
      created_at: secret.createdAt,
      expires_at: secret.expiresAt,
      last_used_at: secret.lastUsedAt,
    };
  }
}

export class ServiceAccountDto {
  /** Also the `client_id` to sign in with, and the `user_id` to grant workspaces to. */
  id!: string;
  name!: string;
  role!: PlatformRole;
  status!: UserStatus;
  /** Rights outside `/api`. */
  scopes!: Scope[];
  attributes!: Record<string, string>;
  /** Secrets that are currently valid, at most two. */
  secrets!: ServiceAccountSecretDto[];
  /** Id of the admin who created it. */
  created_by!: string | null;
  created_at!: Date;
  last_sign_in_at!: Date | null;

  static from(user: User, secrets: readonly ServiceAccountSecret[]): ServiceAccountDto {
    return {
      id: user.id,
      name: user.name,
      role: user.role,
      status: user.status,
      scopes: user.scopes,
      attributes: user.attributes,
      secrets: secrets.filter(({ userId }) => userId === user.id).map(ServiceAccountSecretDto.from),
      created_by: user.createdBy,
      created_at: user.createdAt,
      last_sign_in_at: user.lastSignInAt,
    };
  }
}

export class ServiceAccountListDto {
  service_accounts!: ServiceAccountDto[];
}

export class NewServiceAccountDto extends ServiceAccountDto {
  /** Returned only in this response. It cannot be retrieved later, and an idempotent replay does not contain it. */
  client_secret?: string;

  static with(user: User, { row, secret }: NewSecret): NewServiceAccountDto {
    return { ...ServiceAccountDto.from(user, [row]), client_secret: secret };
  }
}

export class NewSecretDto extends ServiceAccountSecretDto {
  /** Returned only in this response. It cannot be retrieved later, and an idempotent replay does not contain it. */
  client_secret?: string;

  static of({ row, secret }: NewSecret): NewSecretDto {
    return { ...ServiceAccountSecretDto.from(row), client_secret: secret };
  }
}

export class ListServiceAccountsQuery extends OmitType(ListUsersQuery, ['kind']) {
  @ApiPropertyOptional({
    description:
      'Sort order. Prefix the field with `-` for descending order. Service accounts have no email address: `email` is the order of creation.',
  })
  @SortedBy(userSortKeys)
  override sort: string = 'email';
}

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
export class UpdateServiceAccountDto extends OmitType(UpdateUserDto, ['email']) {
  /** Replaces all existing scopes. */
  @OptionalField()
  @IsArray()
  @ArrayUnique()
  @IsIn(scopes, { each: true })
  @ApiPropertyOptional({ enum: scopes, isArray: true })
  scopes?: Scope[];
}
