import { IsIn } from 'class-validator';
import type { PlatformRole } from '../../core/http/principal.js';
import { IsName, MayBeLeftOut } from '../../core/validation/validators.js';
import { IsUserAttributes } from '../../users/user-attributes.js';
import type { UserStatus } from '../../users/user.entity.js';

/** What is left out stays as it is. */
export class UpdateUserDto {
  @MayBeLeftOut()
  @IsName()
  name?: string;

  @MayBeLeftOut()
  @IsIn(['admin', 'member'])
  role?: PlatformRole;

  /** A disabled person is signed out everywhere at once. */
  @MayBeLeftOut()
  @IsIn(['active', 'disabled'])
  status?: UserStatus;

  /** What identity policies refer to: at most 50 texts by name. Replaces all that there were. */
  @MayBeLeftOut()
  @IsUserAttributes()
  attributes?: Record<string, string>;
}
