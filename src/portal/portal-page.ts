import { randomBytes } from 'node:crypto';
import type { Config } from '../core/config/config.js';
import type { Page } from './page.js';
import { portalPermissions, portalPolicy } from './portal-policy.js';

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const asAttribute = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

/** Nothing in it ends the script element that it stands in. */
const asScriptData = (value: object): string =>
  JSON.stringify(value).replaceAll(
    /[<>&]/g,
    (sign) => `\\u00${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );

/** What the portal is told in the page itself: `packages/portal/src/settings.ts` reads it. */
const settingsOf = ({ http, oidc, mail, passwordSignIn }: Config): object => ({
  passwordSignIn,
  identityProvider: oidc !== undefined,
  mailConfigured: mail.smtpUrl !== undefined,
  publicUrl: http.publicUrl,
});

/** Makes answers of the built `index.html`, each with a nonce and a policy of its own. */
export function portalPage(template: string, config: Config): () => Page {
  const base = `${new URL(config.http.publicUrl).pathname.replace(/\/+$/, '')}/`;
  const values: Record<string, string> = {
    BASE: asAttribute(base),
    SETTINGS: asScriptData(settingsOf(config)),
  };
  // Cut at the nonces first: one that a setting spells out is none.
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
