import { ConfidentialClientApplication, type INetworkModule } from '@azure/msal-node';
import type { PowerBiConfig } from '../config/power-bi.config.js';

export interface EntraToken {
  accessToken: string;
  expiresAt: Date;
}

/** Asks Entra for a new access token, never for a kept one: how fresh a token is decides how long an embed token lives. */
export type EntraCredential = () => Promise<EntraToken>;

/** MSAL takes no http authority, but takes the metadata of one as given; that also saves the discovery calls. */
function authority({ authorityUrl, tenantId }: PowerBiConfig) {
  const origin = `${authorityUrl}/${tenantId}`;
  const secure = new URL(authorityUrl).protocol === 'https:';
  return {
    authority: secure ? origin : `https://login.microsoftonline.com/${tenantId}`,
    knownAuthorities: secure ? [new URL(authorityUrl).host] : [],
    authorityMetadata: JSON.stringify({
      authorization_endpoint: `${origin}/oauth2/v2.0/authorize`,
      token_endpoint: `${origin}/oauth2/v2.0/token`,
      issuer: `${origin}/v2.0`,
      jwks_uri: `${origin}/discovery/v2.0/keys`,
    }),
  };
}

export function entraCredential(config: PowerBiConfig, networkClient: INetworkModule): EntraCredential {
  if (config.credential.kind !== 'secret') throw new TypeError('not supported yet');
  const app = new ConfidentialClientApplication({
    auth: { clientId: config.clientId, clientSecret: config.credential.secret, ...authority(config) },
    system: { networkClient },
  });
  return async () => {
    const result = await app.acquireTokenByClientCredential({ scopes: [config.scope], skipCache: true });
    if (!result?.expiresOn) throw new TypeError('MSAL gave no token');
    return { accessToken: result.accessToken, expiresAt: result.expiresOn };
  };
}
