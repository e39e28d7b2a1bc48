import { IsIn } from 'class-validator';
import type { PlatformRole } from '../../core/http/principal.js';
import { IsEmailAddress } from '../../core/validation/email-address.js';
import { IsName, OptionalField } from '../../core/validation/validators.js';
import { IsUserAttributes } from '../user-attributes.js';
import type { UserStatus } from '../user.entity.js';

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
