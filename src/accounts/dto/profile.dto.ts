import { ApiPropertyOptional } from '#openapi';
import { IsIn, IsOptional } from 'class-validator';
import type { PageLinks } from '../../core/lists/pagination.js';
import { type Locale, locales } from '../../core/locales.js';
import { isTimeZone } from '../../core/validation/time-zone.js';
import { IsName, OptionalField, Satisfies } from '../../core/validation/validators.js';
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

const IsTimeZone = (): PropertyDecorator =>
  Satisfies('isTimeZone', isTimeZone, '$property must be an IANA time zone name, such as Europe/Berlin');

/** Omitted properties stay unchanged. */
export class UpdateProfileDto {
  @OptionalField()
  @IsName()
  name?: string;

  /** Language; null: that of the browser. */
  @ApiPropertyOptional({ type: String, enum: locales, nullable: true })
  @IsOptional()
  @IsIn(locales)
  locale?: Locale | null;

  /** IANA time zone; null: that of the browser. */
  @ApiPropertyOptional({ type: String, nullable: true })
  @IsOptional()
  @IsTimeZone()
  time_zone?: string | null;
}
