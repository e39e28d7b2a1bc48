import { UserDto } from '../../users/dto/user.dto.js';
import { GrantDto } from '../../reports/dto/grant.dto.js';
import type { Profile, SignInMethod } from '../profile.service.js';

export class ProfileDto extends UserDto {
  grants!: GrantDto[];
  /** Sign-in methods available to you. Without `password` you have no password to change. Empty for a service account. */
  sign_in_methods!: SignInMethod[];

  static of({ user, grants, signInMethods }: Profile): ProfileDto {
    return {
      ...UserDto.from(user),
      grants: grants.map(GrantDto.from),
      sign_in_methods: signInMethods,
    };
  }
}
