import { ApiPropertyOptional } from '#openapi';
import { Matches, MaxLength, ValidateBy } from 'class-validator';
import { IsContactUrl } from '../../../core/validation/contact-url.js';
import { IsName, IsReadableText, Nullable, OptionalField } from '../../../core/validation/validators.js';
import type { CurrentBranding } from '../branding.queries.js';
import { lowContrast } from '../color-contrast.js';
import { defaultBranding, type ImageKind } from '../default-branding.js';

export class BrandingImageDto {
  /** Relative to the URL of the service. It changes with the content. */
  url!: string;
  /** Determined from the content. */
  media_type!: string;
}

export class BrandingDto {
  product_name!: string;
  /** `#rrggbb` */
  primary_color!: string;
  sign_in_text!: string | null;
  support_url!: string | null;
  /** Null: the name in `MAIL_FROM`. */
  sender_name!: string | null;
  logo!: BrandingImageDto | null;
  /** For dark mode; null: `logo`. */
  logo_dark!: BrandingImageDto | null;
  favicon!: BrandingImageDto | null;
  /** Null until the branding is changed for the first time. */
  updated_at!: Date | null;

  static from({ settings, images }: CurrentBranding): BrandingDto {
    const imageOf = (kind: ImageKind): BrandingImageDto | null => {
      const image = images.get(kind);
      return image === undefined ? null : { url: `branding/${image.hash}`, media_type: image.mediaType };
    };
    return {
      product_name: settings.productName ?? defaultBranding.productName,
      primary_color: settings.primaryColor ?? defaultBranding.primaryColor,
      sign_in_text: settings.signInText,
      support_url: settings.supportUrl,
      sender_name: settings.senderName,
      logo: imageOf('logo'),
      logo_dark: imageOf('logo-dark'),
      favicon: imageOf('favicon'),
      updated_at: settings.updatedAt,
    };
  }
}

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
  @ApiPropertyOptional({ maxLength: MAX_PRODUCT_NAME })
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
  @ApiPropertyOptional({ maxLength: MAX_SENDER_NAME })
  @OptionalField()
  @Nullable()
  @MaxLength(MAX_SENDER_NAME)
  @IsName()
  sender_name?: string | null;
}
