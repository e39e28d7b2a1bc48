import { ApiPropertyOptional } from '#openapi';
import { IsIn, IsOptional, ValidateBy } from 'class-validator';
import { type Locale, locales } from '../../core/locales.js';
import { isTimeZone } from '../../core/validation/time-zone.js';
import { IsName, OptionalField } from '../../core/validation/validators.js';

const IsTimeZone = (): PropertyDecorator =>
  ValidateBy({
    name: 'isTimeZone',
    validator: {
      validate: isTimeZone,
      defaultMessage: () => '$property must be an IANA time zone name, such as Europe/Berlin',
    },
  });

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
