import { Matches, MaxLength, ValidateBy } from 'class-validator';
import { IsContactUrl } from '../../../core/validation/contact-url.js';
import { IsName, IsReadableText, Nullable, OptionalField } from '../../../core/validation/validators.js';
import { lowContrast } from '../color-contrast.js';

const MAX_PRODUCT_NAME = 60;
const MAX_SENDER_NAME = 60;
const MAX_SIGN_IN_TEXT = 500;

const color = /^#[0-9a-f]{6}$/i;

const HasContrast = (): PropertyDecorator =>
  ValidateBy({
    name: 'hasContrast',
    validator: {
      validate: (value) =>
        typeof value !== 'string' || !color.test(value) || lowContrast(value) === undefined,
      defaultMessage: (given) => lowContrast(given?.value as string) ?? '',
    },
  });

/** A field that is omitted or null is reset to its default. */
export class UpdateBrandingDto {
  /** Shown in the header, in titles and in emails. Default: `Vitrine`. */
  @OptionalField()
  @Nullable()
  @MaxLength(MAX_PRODUCT_NAME)
  @IsName()
  product_name?: string | null;

  /** `#rrggbb`. White text on it and links in it need a contrast of 4.5:1. Default: `#1971c2`. */
  @OptionalField()
  @Nullable()
  @HasContrast()
  @Matches(color, { message: '$property must be a colour as #rrggbb' })
  primary_color?: string | null;

  /** Shown on the sign-in page, before the sign-in. */
  @OptionalField()
  @Nullable()
  @MaxLength(MAX_SIGN_IN_TEXT)
  @IsReadableText()
  sign_in_text?: string | null;

  /** `https:` or `mailto:`; linked in the user menu, on the sign-in page and on error pages. */
  @OptionalField()
  @Nullable()
  @IsContactUrl()
  support_url?: string | null;

  /** Name of the sender of emails; their address is `MAIL_FROM`. */
  @OptionalField()
  @Nullable()
  @MaxLength(MAX_SENDER_NAME)
  @IsName()
  sender_name?: string | null;
}
