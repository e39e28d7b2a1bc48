import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../core/clock.js';
import type { Principal } from '../core/http/principal.js';
import type { AccessClaims } from './access-tokens.service.js';
import { bearer } from './jwt.strategy.js';
import { PrincipalsService } from './principals.service.js';

/** The access of a request whose response stays open. */
export interface HeldAccess {
  /** Milliseconds until the token expires. */
  remainingMs: number;
  /** The caller with the current rights; null when the token has expired, or session or user are no longer active. */
  recheck: () => Promise<Principal | null>;
}

/** Rechecks callers after the guard has accepted their request. */
@Injectable()
export class HeldAccessService {
  constructor(
    private readonly principals: PrincipalsService,
    private readonly clock: Clock,
  ) {}

  /** The guard has verified the token of the request. */
  of(request: Request): HeldAccess {
    const [, payload = ''] = (bearer(request) ?? '').split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as AccessClaims;
    const expiresAt = new Date(claims.exp * 1000);
    const recheck = async (): Promise<Principal | null> =>
      this.clock.now() < expiresAt ? this.principals.resolve(claims) : null;
    return { remainingMs: expiresAt.getTime() - this.clock.now().getTime(), recheck };
  }
}
