import { randomBytes } from 'node:crypto';
import type { Config } from '../core/config/config.js';
import type { Page } from './page.js';
import { portalPermissions, portalPolicy } from './portal-policy.js';

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const asAttribute = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

/** Escapes the JSON so that it cannot close the script element around it. */
const asScriptData = (value: object): string =>
  JSON.stringify(value).replaceAll(
    /[<>&]/g,
    (sign) => `\\u00${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );

/** Settings embedded in the page; `packages/portal/src/settings.ts` reads them. */
const settingsOf = ({ http, oidc, mail, usage, passwordSignIn }: Config): object => ({
  passwordSignIn,
  identityProvider: oidc !== undefined,
  mailConfigured: mail.smtpUrl !== undefined,
  publicUrl: http.publicUrl,
  hasDemoUsage: usage.showsDemoNotice,
});

/** Renders the built `index.html`, each response with its own nonce and Content-Security-Policy. */
export function portalPage(template: string, config: Config): () => Page {
  const base = `${new URL(config.http.publicUrl).pathname.replace(/\/+$/, '')}/`;
  const values: Record<string, string> = {
    BASE: asAttribute(base),
    SETTINGS: asScriptData(settingsOf(config)),
  };
  // Split at the nonces first, so that a setting that contains `%NONCE%` is left alone.
  const pieces = template
    .split('%NONCE%')
    .map((piece) => piece.replaceAll(/%(BASE|SETTINGS)%/g, (_whole, name: string) => values[name] ?? ''));
  const policy = portalPolicy(config.powerBi);
  return () => {
    const nonce = randomBytes(16).toString('base64');
    return {
      html: pieces.join(nonce),
      headers: {
        'Cache-Control': 'no-store',
        'Content-Security-Policy': policy(nonce),
        'Permissions-Policy': portalPermissions,
      },
    };
  };
}
