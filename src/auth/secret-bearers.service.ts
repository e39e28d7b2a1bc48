import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Principal } from '../core/http/principal.js';
import { TokenLimitsService } from '../platform/rate-limit/token-limits.service.js';
import {
  SECRET_PREFIX,
  ServiceAccountSecretsService,
} from './service-accounts/service-account-secrets.service.js';

const bearer = new RegExp(`^Bearer (${SECRET_PREFIX}[A-Za-z0-9_-]{43})$`, 'i');

/**
 * Accepts the secret of a service account as a bearer token on routes that require a scope: identity providers send one
 * fixed token. See docs/decisions/scim.md.
 */
@Injectable()
export class SecretBearersService {
  constructor(
    private readonly secrets: ServiceAccountSecretsService,
    private readonly limits: TokenLimitsService,
  ) {}

  /** Undefined without such a token; null for an invalid or expired one. Throws TooManyAttempts. */
  async resolve({ headers }: Request): Promise<Principal | null | undefined> {
    const secret = bearer.exec(headers.authorization ?? '')?.[1];
    if (secret === undefined) return undefined;
    return this.limits.lookUpBearer(() => this.secrets.principalOf(secret));
  }
}
