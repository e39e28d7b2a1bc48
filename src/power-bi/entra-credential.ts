import {
  type AuthenticationResult,
  ConfidentialClientApplication,
  type INetworkModule,
  ManagedIdentityApplication,
} from '@azure/msal-node';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { PowerBiConfig } from '../core/config/power-bi.config.js';

export interface EntraToken {
  accessToken: string;
  expiresAt: Date;
}

/**
 * Acquires a new access token, never a cached one: the remaining lifetime of an access token limits that of an embed
 * token.
 */
export type EntraCredential = () => Promise<EntraToken>;

/** MSAL rejects http authorities but accepts preset authority metadata, which also saves the discovery calls. */
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

function clientCertificate(pem: string) {
  const certificate = new X509Certificate(pem);
  return {
    thumbprintSha256: certificate.fingerprint256.replaceAll(':', ''),
    privateKey: createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem' }).toString(),
    x5c: pem,
  };
}

const tokenOf = (result: AuthenticationResult | null): EntraToken => {
  if (!result?.expiresOn) throw new TypeError('MSAL returned no token');
  return { accessToken: result.accessToken, expiresAt: result.expiresOn };
};

function appCredential(config: PowerBiConfig, networkClient: INetworkModule): EntraCredential {
  const { credential, clientId, scope } = config;
  const proof =
    credential.kind === 'certificate'
      ? { clientCertificate: clientCertificate(credential.pem) }
      : { clientSecret: credential.kind === 'secret' ? credential.secret : '' };
  const app = new ConfidentialClientApplication({
    auth: { clientId, ...proof, ...authority(config) },
    system: { networkClient },
  });
  return async () => tokenOf(await app.acquireTokenByClientCredential({ scopes: [scope], skipCache: true }));
}

function managedIdentity({ clientId, scope }: PowerBiConfig, networkClient: INetworkModule): EntraCredential {
  const app = new ManagedIdentityApplication({
    managedIdentityIdParams: { userAssignedClientId: clientId },
    system: { networkClient, disableInternalRetries: true },
  });
  const resource = scope.replace(/\/\.default$/, '');
  return async () => tokenOf(await app.acquireToken({ resource, forceRefresh: true }));
}

export const entraCredential = (config: PowerBiConfig, networkClient: INetworkModule): EntraCredential =>
  config.credential.kind === 'managed_identity'
    ? managedIdentity(config, networkClient)
    : appCredential(config, networkClient);
