import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { Clock } from '../../core/clock.js';
import { IdentityProviderService } from './identity-provider.service.js';
import { InvalidSubjectToken, ProviderUnavailable } from './provider.errors.js';
import type { ProviderClaims } from './provider-claims.js';

const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const SKEW_SECONDS = 30;
/** Providers issue tokens for minutes or hours; a longer lifetime indicates a mistake or a forgery. */
const MAX_LIFETIME_SECONDS = 86_400;
/** `typ` of access and ID tokens. Excludes logout tokens, which the provider also signs for this audience. */
const types = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];

export interface SubjectToken {
  claims: ProviderClaims;
  /** Identifies the token: SHA-256 of its signed part. */
  hash: Buffer;
  /** `verify` rejects the token after this time. */
  expiresAt: Date;
}

/** Verifies provider tokens that a portal backend exchanges for tokens of this service (RFC 8693). */
@Injectable()
export class SubjectTokensService {
  private keys?: { url: string; get: JWTVerifyGetKey };

  constructor(
    private readonly provider: IdentityProviderService,
    private readonly clock: Clock,
  ) {}

  /** Throws InvalidSubjectToken, ProviderUnavailable, or SignInRefused for a malformed claim or a tenant that is not allowed. */
  async verify(token: string): Promise<SubjectToken> {
    const { issuer, jwks_uri: jwksUri } = await this.provider.metadata();
    if (jwksUri === undefined)
      throw new ProviderUnavailable(new TypeError('The provider metadata has no jwks_uri'));
    const payload = await this.payloadOf(token, this.keysAt(jwksUri));
    const tenant = typeof payload.tid === 'string' ? payload.tid : '';
    const isOurs = payload.iss === issuer.replace('{tenantid}', tenant);
    if (!isOurs || typeof payload.sub !== 'string' || 'events' in payload) throw new InvalidSubjectToken();
    return {
      claims: this.provider.claimsOf(payload),
      hash: createHash('sha256')
        .update(token.slice(0, token.lastIndexOf('.')))
        .digest(),
      expiresAt: new Date(((payload.exp as number) + SKEW_SECONDS) * 1000),
    };
  }

  private async payloadOf(token: string, keys: JWTVerifyGetKey): Promise<JWTPayload> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        audience: [...this.provider.settings.audiences],
        algorithms,
        clockTolerance: SKEW_SECONDS,
        // Also rejects an `iat` in the future.
        maxTokenAge: this.provider.settings.tokenExchange.maxAgeSeconds,
        currentDate: this.clock.now(),
        requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
      });
      const lifetime = (payload.exp as number) - (payload.iat as number);
      const isKnownType = types.includes(protectedHeader.typ?.toLowerCase());
      if (isKnownType && lifetime <= MAX_LIFETIME_SECONDS) return payload;
    } catch (error) {
      throw isOutage(error) ? new ProviderUnavailable(error) : new InvalidSubjectToken(error);
    }
    throw new InvalidSubjectToken();
  }

  private keysAt(url: string): JWTVerifyGetKey {
    if (this.keys?.url !== url) {
      const get = createRemoteJWKSet(new URL(url), { [customFetch]: this.provider.fetch as typeof fetch });
      this.keys = { url, get };
    }
    return this.keys.get;
  }
}

/** Errors not caused by the token: the JWKS endpoint is unreachable or returns no valid key set. */
const isOutage = (error: unknown): boolean =>
  !(error instanceof errors.JOSEError) ||
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  error.code === 'ERR_JOSE_GENERIC';
