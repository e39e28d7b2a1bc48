import type { CurrentBranding } from '../branding.queries.js';
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
