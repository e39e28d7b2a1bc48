import { randomBytes } from 'node:crypto';
import type { CurrentBranding } from '../platform/branding/branding.queries.js';
import { defaultBranding, type ImageKind } from '../platform/branding/default-branding.js';
import type { Config } from '../core/config/config.js';
import type { Page } from './page.js';
import { portalPermissions, portalPolicy } from './portal-policy.js';

const TITLE = /<title>[^<]*<\/title>/;
const ICON = /<link rel="icon"[^>]*>/;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const asAttribute = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

/** Escapes the JSON so that it cannot close the script element around it. */
const asScriptData = (value: object): string =>
  JSON.stringify(value).replaceAll(
    /[<>&]/g,
    (sign) => `\\u00${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );

/** Relative to `<base>`. */
const imageUrl = ({ images }: CurrentBranding, kind: ImageKind): string | null => {
  const image = images.get(kind);
  return image === undefined ? null : `branding/${image.hash}`;
};

const brandingOf = (branding: CurrentBranding): object => ({
  productName: branding.settings.productName ?? defaultBranding.productName,
  primaryColor: branding.settings.primaryColor ?? defaultBranding.primaryColor,
  signInText: branding.settings.signInText,
  supportUrl: branding.settings.supportUrl,
  logo: imageUrl(branding, 'logo'),
  logoDark: imageUrl(branding, 'logo-dark'),
  favicon: imageUrl(branding, 'favicon'),
});

/** Title and icon of the tab, which the browser shows before the portal runs. */
function branded(html: string, branding: CurrentBranding): string {
  const { productName } = branding.settings;
  const icon = imageUrl(branding, 'favicon');
  const titled =
    productName === null ? html : html.replace(TITLE, () => `<title>${asAttribute(productName)}</title>`);
  return icon === null ? titled : titled.replace(ICON, () => `<link rel="icon" href="${icon}">`);
}

/** Settings embedded in the page; `packages/portal/src/settings.ts` reads them. */
const settingsOf = (
  { http, oidc, mail, usage, passwordSignIn }: Config,
  branding: CurrentBranding,
): object => ({
  passwordSignIn,
  identityProvider: oidc !== undefined,
  mailConfigured: mail.smtpUrl !== undefined,
  publicUrl: http.publicUrl,
  hasDemoUsage: usage.showsDemoNotice,
  isUsageVisibleToViewers: usage.visibleToViewers,
  usageTimeZone: usage.timeZone,
  branding: brandingOf(branding),
});

/** Renders the built `index.html`, each response with its own nonce and Content-Security-Policy. */
export function portalPage(template: string, config: Config): (branding: CurrentBranding) => Page {
  const base = `${new URL(config.http.publicUrl).pathname.replace(/\/+$/, '')}/`;
  const policy = portalPolicy(config.powerBi);
  const render = (branding: CurrentBranding): string[] => {
    const values: Record<string, string> = {
      BASE: asAttribute(base),
      SETTINGS: asScriptData(settingsOf(config, branding)),
    };
    // Split at the nonces first, so that a setting that contains `%NONCE%` is left alone.
    return template
      .split('%NONCE%')
      .map((piece) => piece.replaceAll(/%(BASE|SETTINGS)%/g, (_whole, name: string) => values[name] ?? ''))
      .map((piece) => branded(piece, branding));
  };
  let last: { branding: CurrentBranding; pieces: string[] } | undefined;
  return (branding) => {
    if (last?.branding !== branding) last = { branding, pieces: render(branding) };
    const nonce = randomBytes(16).toString('base64');
    return {
      html: last.pieces.join(nonce),
      headers: {
        'Cache-Control': 'no-store',
        'Content-Security-Policy': policy(nonce),
        'Permissions-Policy': portalPermissions,
      },
    };
  };
}
