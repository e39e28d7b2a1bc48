import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createRemoteJWKSet, customFetch } from 'jose';
import * as oidc from 'openid-client';
import { Clock } from '../../core/clock.js';
import { Config } from '../../core/config/config.js';
import type { OidcConfig } from '../../core/config/oidc.config.js';
import type { Preparation } from '../../platform/idempotency/idempotency.interceptor.js';
import {
  PlatformSignInMissing,
  ProviderUnavailable,
  SignInInterrupted,
  SignInRefused,
} from './provider.errors.js';
import { type ProviderClaims, type RawClaims, readClaims } from './provider-claims.js';
import type { CustomFetch } from 'openid-client';
import { Agent, fetch as undiciFetch } from 'undici';

const MAX_BYTES = 2 * 1024 * 1024;

/** HTTP client for the provider, limited in time and size. Redirects are not followed; callers reject them. */
function providerFetch(): { fetch: CustomFetch; close: () => Promise<void> } {
  const dispatcher = new Agent({
    connect: { timeout: 2000 },
    headersTimeout: 5000,
    bodyTimeout: 5000,
    maxResponseSize: MAX_BYTES,
  });
  const fetch: CustomFetch = (url, options) =>
    undiciFetch(url, { ...options, redirect: 'manual', dispatcher });
  return { fetch, close: () => dispatcher.close() };
}

const METADATA_SECONDS = 3600;
const TIMEOUT_SECONDS = 5;

export interface ProviderTokens {
  claims: ProviderClaims;
  refreshToken: string | undefined;
  /** Set when userinfo failed, which adds claims that the provider omits from tokens. */
  isPartial?: boolean;
  /** Set for an exchanged token, which comes without userinfo: a refresh of the claims stays due. */
  isExchanged?: boolean;
}

interface Expected {
  state: string;
  nonce: string;
  verifier: string;
}

type Tokens = Awaited<ReturnType<typeof oidc.refreshTokenGrant>>;

/** Client of the OpenID Connect provider that OIDC_ISSUER configures. */
@Injectable()
export class IdentityProviderService implements OnApplicationShutdown, Preparation {
  private readonly http = providerFetch();
  private known?: { configuration: oidc.Configuration; until: Date };
  private discovering?: Promise<oidc.Configuration>;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  get isConfigured(): boolean {
    return this.config.oidc !== undefined;
  }

  /** Throws PlatformSignInMissing. */
  get settings(): OidcConfig {
    if (this.config.oidc === undefined) throw new PlatformSignInMissing();
    return this.config.oidc;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }

  /** URL at the provider to redirect the browser to. Throws ProviderUnavailable. */
  async authorizationUrl({ state, nonce, verifier }: Expected): Promise<URL> {
    const configuration = await this.configuration();
    return oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: this.callbackUrl,
      scope: this.settings.scopes,
      ...(this.settings.prompt !== undefined && { prompt: this.settings.prompt }),
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
  }

  /** Exchanges the code in the callback's query for tokens. Throws ProviderUnavailable, SignInInterrupted or SignInRefused. */
  async finish(query: string, { state, nonce, verifier }: Expected): Promise<ProviderTokens> {
    const configuration = await this.configuration();
    const url = new URL(`${this.callbackUrl}${query}`);
    const checks = {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    };
    try {
      const tokens = await oidc.authorizationCodeGrant(configuration, url, checks);
      return await this.parseTokens(configuration, tokens);
    } catch (error) {
      throw failureOf(error);
    }
  }

  /** Fetches current claims. Throws SignInRefused when the provider rejects the refresh token, ProviderUnavailable or SignInInterrupted. */
  async renew(subject: string, refreshToken: string): Promise<ProviderTokens> {
    const configuration = await this.configuration();
    try {
      await this.requireKeys(configuration);
      const tokens = await oidc.refreshTokenGrant(configuration, refreshToken);
      return await this.parseTokens(configuration, tokens, subject);
    } catch (error) {
      if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant') {
        throw new SignInRefused('cancelled', null, error);
      }
      throw failureOf(error);
    }
  }

  /** Throws SignInRefused for a tenant that is not allowed, and InvalidClaim. */
  claimsOf(raw: RawClaims): ProviderClaims {
    const { allowedTenants, rules, trustEmail } = this.settings;
    const claims = readClaims(raw, { groupsClaim: rules.groups_claim, trustEmail });
    const isAllowed = allowedTenants.length === 0 || allowedTenants.includes(claims.tid?.toLowerCase() ?? '');
    if (!isAllowed) throw new SignInRefused('tenant');
    return claims;
  }

  /** The provider's discovery document. Throws ProviderUnavailable. */
  async metadata(): Promise<oidc.ServerMetadata> {
    return (await this.configuration()).serverMetadata();
  }

  /** The same without waiting for the provider, within a transaction. Throws PlatformSignInMissing and ProviderUnavailable. */
  get knownMetadata(): oidc.ServerMetadata {
    if (this.known !== undefined) return this.known.configuration.serverMetadata();
    throw this.isConfigured ? new ProviderUnavailable() : new PlatformSignInMissing();
  }

  /** Fetches the discovery document unless it is known. */
  async prepare(): Promise<void> {
    await this.configuration().catch(() => undefined);
  }

  get fetch(): oidc.CustomFetch {
    return this.http.fetch;
  }

  /**
   * Before a refresh token is used: without the keys the response is rejected, which loses the refresh token that replaces
   * it, and the next renewal ends the sessions.
   */
  private async requireKeys(configuration: oidc.Configuration): Promise<void> {
    const url = new URL(configuration.serverMetadata().jwks_uri as string);
    await createRemoteJWKSet(url, { [customFetch]: this.http.fetch as typeof fetch }).reload();
  }

  private get callbackUrl(): string {
    return `${this.config.http.publicUrl}/login/callback`;
  }

  /** Claims of the ID token take precedence; userinfo adds claims that the provider omits from tokens. */
  private async parseTokens(
    configuration: oidc.Configuration,
    tokens: Tokens,
    subject = tokens.claims()?.sub,
  ): Promise<ProviderTokens> {
    const fromToken = tokens.claims();
    if (subject === undefined || (fromToken !== undefined && fromToken.sub !== subject))
      throw new SignInInterrupted();
    const userinfo = await this.userinfo(configuration, tokens.access_token, subject);
    const issuer = fromToken?.iss ?? configuration.serverMetadata().issuer;
    const raw = { ...userinfo, ...fromToken, iss: issuer, sub: subject };
    return { claims: this.claimsOf(raw), refreshToken: tokens.refresh_token, isPartial: userinfo === null };
  }

  /** Null if it fails: a missing claim counts as unknown and changes nothing, so a failure does not fail the sign-in. */
  private async userinfo(
    configuration: oidc.Configuration,
    accessToken: string,
    subject: string,
  ): Promise<RawClaims | null> {
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
    try {
      return await oidc.fetchUserInfo(configuration, accessToken, subject);
    } catch {
      return null;
    }
  }

  /**
   * Cached for an hour. A stale document stays in use while the next one is fetched in the background, so that a transaction
   * does not wait for the provider, and while the provider is unavailable.
   */
  private async configuration(): Promise<oidc.Configuration> {
    const { known } = this;
    if (known !== undefined && this.clock.now() < known.until) return known.configuration;
    this.discovering ??= this.discover(this.settings).finally(() => (this.discovering = undefined));
    if (known !== undefined) {
      this.discovering.catch(() => undefined);
      return known.configuration;
    }
    try {
      return await this.discovering;
    } catch (error) {
      throw new ProviderUnavailable(error);
    }
  }

  private async discover({ issuer, clientId, clientSecret }: OidcConfig): Promise<oidc.Configuration> {
    const isPlain = new URL(issuer).protocol === 'http:';
    const configuration = await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      timeout: TIMEOUT_SECONDS,
      [oidc.customFetch]: this.http.fetch,
      execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
    });
    this.known = { configuration, until: this.clock.in(METADATA_SECONDS) };
    return configuration;
  }
}

/** Maps an error to ProviderUnavailable (outage), SignInRefused (refused by the provider) or SignInInterrupted (invalid response). */
function failureOf(error: unknown): Error {
  if (error instanceof SignInRefused || error instanceof SignInInterrupted) return error;
  if (error instanceof oidc.AuthorizationResponseError) {
    const isOutage = ['temporarily_unavailable', 'server_error'].includes(error.error);
    return isOutage ? new ProviderUnavailable(error) : new SignInRefused('cancelled', null, error);
  }
  if (error instanceof oidc.ResponseBodyError) {
    return error.error === 'invalid_grant' ? new SignInInterrupted(error) : new ProviderUnavailable(error);
  }
  const code = error instanceof oidc.ClientError ? (error.code ?? '') : '';
  const doesNotFit = /JWT|INVALID_RESPONSE|ATTRIBUTE_COMPARISON|INVALID_REQUEST|KEY_SELECTION/.test(code);
  return doesNotFit ? new SignInInterrupted(error) : new ProviderUnavailable(error);
}
