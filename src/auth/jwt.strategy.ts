import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { Strategy } from 'passport-jwt';
import { Clock } from '../core/clock.js';
import type { Principal } from '../core/http/principal.js';
import { Config } from '../core/config/config.js';
import { storedUuid } from '../core/validation/text.js';
import { type AccessClaims, AUDIENCE, TOKEN_TYPE } from './access-tokens.service.js';
import { ACCESS_TOKEN_SECONDS } from './sessions/issued-session.js';
import { PrincipalsService } from './principals.service.js';
import { SigningKeys } from './signing-keys.js';

interface Verified {
  claims: AccessClaims;
  /** The key set that verified the signature. */
  keys: object;
}

const MAX_TOKENS = 10_000;

/** Keyed by hash, so that no token is kept in memory. */
const nameOf = (token: string): string => hash('sha256', token, 'base64url');

const MAX_TOKEN_LENGTH = 4096;
const SKEW_SECONDS = 30;

/** The access of a request whose response stays open. */
interface HeldAccess {
  /** Milliseconds until the token expires. */
  remainingMs: number;
  /** The caller with the current rights; null when the token has expired, or session or user are no longer active. */
  recheck: () => Promise<Principal | null>;
}

interface Header {
  alg?: unknown;
  typ?: unknown;
  kid?: unknown;
  crit?: unknown;
}

/** Accepts only the Bearer scheme, followed by exactly one token. */
const bearer = ({ headers }: Request): string | null =>
  /^Bearer ([A-Za-z0-9_.-]+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;

/** Runs before any cryptography and ignores `jku`, `x5u`, `jwk` and `x5c`. */
function keyIdOf(token: string): string | undefined {
  if (token.length > MAX_TOKEN_LENGTH) return undefined;
  const [head = ''] = token.split('.');
  const { alg, typ, kid, crit } = JSON.parse(Buffer.from(head, 'base64url').toString()) as Header;
  return alg === 'RS256' && typ === TOKEN_TYPE && crit === undefined && typeof kid === 'string'
    ? kid
    : undefined;
}

const isId = (value: unknown): boolean => typeof value === 'string' && storedUuid.test(value);
const isSecond = (value: unknown): value is number => Number.isSafeInteger(value);

/** Checks the remaining claims; passport-jwt has already verified signature, issuer and audience. */
function areClaimsValid({ sub, sid, jti, iat, exp, aud }: Partial<AccessClaims>, now: number): boolean {
  if (typeof aud !== 'string' || typeof jti !== 'string') return false;
  if (!isId(sub) || !isId(sid)) return false;
  if (!isSecond(iat) || !isSecond(exp) || exp - iat > ACCESS_TOKEN_SECONDS) return false;
  return iat <= now + SKEW_SECONDS && exp > now - SKEW_SECONDS;
}

@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  /**
   * Caches verified signatures, so that each access token is verified once. It does not cache expiry, session state or
   * user status, which are checked on every request.
   */
  private readonly verified = new LRUCache<string, Verified>({ max: MAX_TOKENS });

  constructor(
    private readonly keys: SigningKeys,
    config: Config,
    private readonly principals: PrincipalsService,
    private readonly clock: Clock,
  ) {
    super({
      passReqToCallback: true,
      jwtFromRequest: bearer,
      algorithms: ['RS256'],
      issuer: config.http.publicUrl,
      audience: AUDIENCE,
      // `areClaimsValid` checks expiry against the injected clock.
      ignoreExpiration: true,
      secretOrKeyProvider: (_request, token: string, done) => {
        try {
          // Typed as a string, but jsonwebtoken accepts a key object; it would parse a PEM string for every token.
          done(null, keys.find(keyIdOf(token) ?? '') as unknown as string | undefined);
        } catch (error) {
          done(error);
        }
      },
    });
  }

  /** Returns null, which results in a 401, for invalid claims, an ended session or an inactive user. */
  async validate(request: Request, claims: Partial<AccessClaims>): Promise<Principal | null> {
    if (!areClaimsValid(claims, this.seconds())) return null;
    const known = { claims: claims as AccessClaims, keys: this.keys.generation };
    this.verified.set(nameOf(bearer(request) ?? ''), known);
    return this.principals.resolve(known.claims);
  }

  /** Same as `validate` for a token whose signature is cached; undefined when it is not. */
  async revalidate(request: Request): Promise<Principal | null | undefined> {
    const known = this.verified.get(nameOf(bearer(request) ?? ''));
    if (known?.keys !== this.keys.generation) return undefined;
    return areClaimsValid(known.claims, this.seconds()) ? this.principals.resolve(known.claims) : null;
  }

  /** Rechecks the caller of a request whose token the guard has verified. */
  holdAccess(request: Request): HeldAccess {
    const [, payload = ''] = (bearer(request) ?? '').split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as AccessClaims;
    const expiresAt = new Date(claims.exp * 1000);
    const recheck = async (): Promise<Principal | null> =>
      this.clock.now() < expiresAt ? this.principals.resolve(claims) : null;
    return { remainingMs: expiresAt.getTime() - this.clock.now().getTime(), recheck };
  }

  private seconds(): number {
    return Math.floor(this.clock.now().getTime() / 1000);
  }
}
