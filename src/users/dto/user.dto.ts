import type { PlatformRole } from '../../core/http/principal.js';
import type { User, UserStatus } from '../user.entity.js';

export class UserDto {
  id!: string;
  email!: string;
  name!: string;
  role!: PlatformRole;
  status!: UserStatus;
  created_at!: Date;
  last_sign_in_at!: Date | null;

  static from(user: User): UserDto {
    return {
      id: user.id,
      email: user.email,
      name: user.name,
      role: user.role,
      status: user.status,
      created_at: user.createdAt,
      last_sign_in_at: user.lastSignInAt,
    };
  }
}

export class UserListDto {
  users!: UserDto[];
}
