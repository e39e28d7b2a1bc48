import type { PlatformRole } from '../../core/http/principal.js';
import type { User, UserSource, UserStatus } from '../user.entity.js';
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
