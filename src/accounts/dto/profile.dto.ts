import type { Locale } from '../../core/locales.js';
import { UserDto } from '../../users/dto/user.dto.js';
import { GrantDto } from '../../reports/dto/grant.dto.js';
import type { Profile, SignInMethod } from '../profile.service.js';

export class ProfileDto extends UserDto {
  /** Language of the portal and of emails; null: that of the browser, and in emails that of the organization. */
  locale!: Locale | null;
  /** IANA time zone; null: that of the browser, and UTC in emails. */
  time_zone!: string | null;
  grants!: GrantDto[];
  /** Sign-in methods available to you. Without `password` you have no password to change. Empty for a service account. */
  sign_in_methods!: SignInMethod[];

  static of({ user, grants, signInMethods }: Profile): ProfileDto {
    return {
      ...UserDto.from(user),
      locale: user.locale,
      time_zone: user.timeZone,
      grants: grants.map(GrantDto.from),
      sign_in_methods: signInMethods,
    };
  }
}
