import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { AccessClaims } from './access-tokens.service.js';
import { SigningKeys } from './signing-keys.js';

interface Verified {
  claims: AccessClaims;
  /** The key set that verified the signature. */
  keys: object;
}

const MAX_TOKENS = 10_000;

/** Keyed by hash, so that no token is kept in memory. */
const nameOf = (token: string): string => hash('sha256', token, 'base64url');

/**
 * Caches verified signatures, so that each access token is verified once. It does not cache expiry, session state or
 * user status: the caller of `claimsOf` checks them on every request.
 */
@Injectable()
export class SignatureCache {
  private readonly tokens = new LRUCache<string, Verified>({ max: MAX_TOKENS });

  constructor(private readonly keys: SigningKeys) {}

  /** Undefined for a token that was not verified against the current keys. */
  claimsOf(token: string): AccessClaims | undefined {
    const known = this.tokens.get(nameOf(token));
    return known?.keys === this.keys.generation ? known.claims : undefined;
  }

  add(token: string, claims: AccessClaims): void {
    this.tokens.set(nameOf(token), { claims, keys: this.keys.generation });
  }
}
