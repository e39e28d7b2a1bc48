import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { AccessClaims } from './access-tokens.service.js';
import { SigningKeys } from './signing-keys.js';

interface Verified {
  claims: AccessClaims;
  /** The keys that it was verified against. */
  keys: object;
}

const MAX_TOKENS = 10_000;

/** By its hash: no token is kept. */
const nameOf = (token: string): string => hash('sha256', token, 'base64url');

/**
 * What the signatures of access tokens said, so that each is verified once. Whether a token has run out, its session has
 * ended or its owner may still come in is nobody's memory: the caller of `claimsOf` asks again each time.
 */
@Injectable()
export class SignatureCache {
  private readonly tokens = new LRUCache<string, Verified>({ max: MAX_TOKENS });

  constructor(private readonly keys: SigningKeys) {}

  /** Undefined for a token that was not verified against the keys of now. */
  claimsOf(token: string): AccessClaims | undefined {
    const known = this.tokens.get(nameOf(token));
    return known?.keys === this.keys.generation ? known.claims : undefined;
  }

  add(token: string, claims: AccessClaims): void {
    this.tokens.set(nameOf(token), { claims, keys: this.keys.generation });
  }
}
