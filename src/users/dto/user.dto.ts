import { IsIn } from 'class-validator';
import type { PlatformRole } from '../../core/http/principal.js';
import { CountedListQuery } from '../../core/lists/list-query.dto.js';
import { SortedBy, type SortKeys } from '../../core/lists/pagination.js';
import { IsEmailAddress } from '../../core/validation/email-address.js';
import { IsName, OptionalField } from '../../core/validation/validators.js';
import { IsUserAttributes } from '../user-attributes.js';
import type { User, UserKind, UserSource, UserStatus } from '../user.entity.js';
import { addressOf } from '../users.queries.js';

export class UserDto {
  id!: string;
  /** Null for a service account. */
  email!: string | null;
  name!: string;
  role!: PlatformRole;
  status!: UserStatus;
  created_at!: Date;
  last_sign_in_at!: Date | null;
  /** `scim`: name and status are managed by the identity provider. */
  source!: UserSource;

  static from(user: User): UserDto {
    return {
      id: user.id,
      email: addressOf(user),
      name: user.name,
      role: user.role,
      status: user.status,
      created_at: user.createdAt,
      last_sign_in_at: user.lastSignInAt,
      source: user.source,
    };
  }
}

export class UserListDto {
  users!: UserDto[];
}

export class UserAttributesDto {
  /** Attributes that identity policies refer to, set by an admin or by a rule over the identity provider's claims. */
  attributes!: Record<string, string>;

  static from({ attributes }: User): UserAttributesDto {
    return { attributes };
  }
}

export const userSortKeys: SortKeys<User> = {
  email: { sql: 'user.email', of: (user) => user.email },
  created_at: { sql: 'user.createdAt', of: (user) => user.createdAt.toISOString() },
};

export class ListUsersQuery extends CountedListQuery {
  @SortedBy(userSortKeys)
  sort: string = 'email';

  /** Filters by status. */
  @OptionalField()
  @IsIn(['active', 'disabled'])
  status?: UserStatus;

  /** Filters by platform role. */
  @OptionalField()
  @IsIn(['admin', 'member'])
  role?: PlatformRole;

  /** `person` lists people, `service` lists service accounts. */
  @OptionalField()
  @IsIn(['person', 'service'])
  kind: UserKind = 'person';
}

/** Omitted properties stay unchanged. */
export class UpdateUserDto {
  @OptionalField()
  @IsName()
  name?: string;

  /** Sends an email to both addresses and voids open links. Not for a person whom SCIM manages. */
  @OptionalField()
  @IsEmailAddress()
  email?: string;

  @OptionalField()
  @IsIn(['admin', 'member'])
  role?: PlatformRole;

  /** Disabling a user ends all their sessions immediately. */
  @OptionalField()
  @IsIn(['active', 'disabled'])
  status?: UserStatus;

  /** Attributes that identity policies refer to: at most 50 strings by name. Replaces all existing attributes. */
  @OptionalField()
  @IsUserAttributes()
  attributes?: Record<string, string>;
}
