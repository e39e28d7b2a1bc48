import type { PageLinks } from '../../core/lists/pagination.js';
import type { Locale } from '../../core/locales.js';
import { UserDto } from '../../users/dto/user.dto.js';
import { GrantDto } from '../../reports/dto/grant.dto.js';
import type { Profile, SignInMethod } from '../profile.service.js';

export class GrantCountsDto {
  /** Number of active grants on workspaces. */
  workspaces!: number;
  /** Number of active grants on single reports. */
  reports!: number;
}

export class ProfileDto extends UserDto {
  /** Language of the portal and of emails; null: that of the browser, and in emails that of the organization. */
  locale!: Locale | null;
  /** IANA time zone; null: that of the browser, and UTC in emails. */
  time_zone!: string | null;
  /** Your first 100 active grants, by name of the workspace. `GET /api/users/me/grants` lists all of them. */
  grants!: GrantDto[];
  grant_counts!: GrantCountsDto;
  /** Sign-in methods available to you. Without `password` you have no password to change. Empty for a service account. */
  sign_in_methods!: SignInMethod[];

  static of({ user, grants, grantCounts, signInMethods }: Profile, links: PageLinks): ProfileDto {
    return {
      ...UserDto.from(user),
      locale: user.locale,
      time_zone: user.timeZone,
      grants: links.from(grants, 'cursor', '/api/users/me/grants').map(GrantDto.from),
      grant_counts: grantCounts,
      sign_in_methods: signInMethods,
    };
  }
}
