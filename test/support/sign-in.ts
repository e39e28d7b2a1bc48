import { createHash, randomBytes } from 'node:crypto';
import { CompactSign, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type { Person } from '../../local/demo-people.js';
import {
  demoClient,
  type RunningIdentityProvider,
  startIdentityProvider,
} from '../../local/identity-provider.js';
import type { ApiResponse, Client } from './client.js';
import { type Service, startService } from './service.js';
import { type Page, HttpBrowser } from './http-browser.js';

const publicUrl = 'https://vitrine.test';
export const portal = 'https://portal.test/app';

export const person = (sub: string, claims: Record<string, unknown> = {}): Person => ({
  sub,
  name: sub,
  email: `${sub}@vitrine.example`,
  email_verified: true,
  ...claims,
});

export interface Proof {
  verifier: string;
  challenge: string;
}

export function newProof(): Proof {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

interface Tokens extends Record<string, unknown> {
  access_token: string;
  refresh_token: string;
  code?: string;
}

export interface SignIn {
  service: Service;
  provider: RunningIdentityProvider;
  browser: () => HttpBrowser;
  /** Signs in through the provider as this person and returns the final page. */
  arrive: (sub: string, proof?: Proof, browser?: HttpBrowser) => Promise<Page>;
  exchange: (code: string, verifier: string) => Promise<ApiResponse<Tokens>>;
  /** Signs in and exchanges the code for tokens. */
  signIn: (sub: string) => Promise<ApiResponse<Tokens>>;
  /** A token signed with the provider's key. */
  signed: (claims: JWTPayload, header?: { alg?: string; typ?: string }) => Promise<string>;
  /** The same for any payload, which need not be UTF-8. */
  signedBytes: (payload: Uint8Array) => Promise<string>;
  close: () => Promise<void>;
}

/** Exchanges a token of the provider for a session. */
export const exchangeToken = (
  api: Client,
  subject_token: string,
  type: 'jwt' | 'access_token' | 'id_token' = 'jwt',
): Promise<ApiResponse<Tokens>> =>
  api.post('/api/auth/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token,
    subject_token_type: `urn:ietf:params:oauth:token-type:${type}`,
  });

export function loginUrl({ challenge }: Proof, more: Record<string, string> = {}): string {
  const query = { return_to: portal, code_challenge: challenge, state: 'mine', ...more };
  return `${publicUrl}/login?${new URLSearchParams(query).toString()}`;
}

/** Opens the provider, selects a person and follows the redirects. */
export async function goAs(browser: HttpBrowser, sub: string, url: string): Promise<Page> {
  const list = await browser.open(url);
  const link = new RegExp(`id="${sub}" href="([^"]+)"`).exec(list.text)?.[1];
  if (link === undefined) return list;
  return browser.open(new URL(link, list.url).href);
}

/** A service with its own identity provider. */
export async function startSignIn(
  people: readonly Person[],
  rules: object = { rules: [] },
  variables: Record<string, string> = {},
): Promise<SignIn> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'provider-1', alg: 'RS256', use: 'sig' };
  const provider = await startIdentityProvider({ publicUrl, people, keys: [key] });
  const service = await startService({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: demoClient.clientId,
    OIDC_CLIENT_SECRET: demoClient.clientSecret,
    OIDC_RETURN_URLS: portal,
    OIDC_RULES: JSON.stringify(rules),
    ...variables,
  });
  const providerOrigin = new URL(provider.issuer).origin;
  const browser = (): HttpBrowser =>
    new HttpBrowser({ [publicUrl]: service.url, [providerOrigin]: providerOrigin });
  const arrive: SignIn['arrive'] = (sub, proof = newProof(), who = browser()) =>
    goAs(who, sub, loginUrl(proof));
  const exchange: SignIn['exchange'] = (code, verifier) =>
    service.api.post('/api/auth/token', {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
    });
  const signIn: SignIn['signIn'] = async (sub) => {
    const proof = newProof();
    const page = await arrive(sub, proof);
    return exchange(page.url.searchParams.get('code') ?? page.text, proof.verifier);
  };
  const now = (): number => Math.floor(service.clock.now().getTime() / 1000);
  const signed: SignIn['signed'] = (claims, { alg = 'RS256', typ = 'JWT' } = {}) =>
    new SignJWT({ iss: provider.issuer, aud: 'vitrine', iat: now(), exp: now() + 300, ...claims })
      .setProtectedHeader({ alg, typ, kid: 'provider-1' })
      .sign(alg === 'RS256' ? privateKey : new TextEncoder().encode(JSON.stringify(publicKey)));
  const signedBytes: SignIn['signedBytes'] = (payload) =>
    new CompactSign(payload)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: 'provider-1' })
      .sign(privateKey);
  const close = async (): Promise<void> => {
    await service.close();
    await provider.close();
  };
  return { service, provider, browser, arrive, exchange, signIn, signed, signedBytes, close };
}
