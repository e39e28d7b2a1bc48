import { IsIn } from 'class-validator';
import type { PlatformRole } from '../../core/http/principal.js';
import { IsName, OptionalField } from '../../core/validation/validators.js';
import { IsUserAttributes } from '../user-attributes.js';
import type { UserStatus } from '../user.entity.js';

/** What is left out stays as it is. */
export class UpdateUserDto {
  @OptionalField()
  @IsName()
  name?: string;

  @OptionalField()
  @IsIn(['admin', 'member'])
  role?: PlatformRole;

  /** A disabled person is signed out everywhere at once. */
  @OptionalField()
  @IsIn(['active', 'disabled'])
  status?: UserStatus;

  /** What identity policies refer to: at most 50 texts by name. Replaces all that there were. */
  @OptionalField()
  @IsUserAttributes()
  attributes?: Record<string, string>;
}
