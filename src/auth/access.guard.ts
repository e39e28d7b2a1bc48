import { type ExecutionContext, ForbiddenException, Injectable, UnauthorizedException } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { ADMIN, PUBLIC, SCOPE } from '../core/http/access.js';
import type { Principal, Scope } from '../core/http/principal.js';
import { requestContext } from '../core/http/request-context.js';
import { TokenLimitsService } from '../platform/rate-limit/token-limits.service.js';
import { AdminRequired, ScopeRequired } from './auth.errors.js';
import { JwtStrategy } from './jwt.strategy.js';
import { PrincipalsService } from './principals.service.js';
import {
  SECRET_PREFIX,
  ServiceAccountSecretsService,
} from './service-accounts/service-account-secrets.service.js';

const bearer = new RegExp(`^Bearer (${SECRET_PREFIX}[A-Za-z0-9_-]{43})$`, 'i');

/** Registered globally: rejects every request without a valid token unless the route is `@Public()`. */
@Injectable()
export class AccessGuard extends AuthGuard('jwt') {
  constructor(
    private readonly reflector: Reflector,
    private readonly strategy: JwtStrategy,
    private readonly principals: PrincipalsService,
    private readonly secrets: ServiceAccountSecretsService,
    private readonly limits: TokenLimitsService,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.isMarked(PUBLIC, context)) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const scope = this.mark<Scope>(SCOPE, context);
    const known =
      (scope && (await this.bearerOfSecret(request))) ?? (await this.strategy.revalidate(request));
    if (known === undefined) await super.canActivate(context);
    else request.user = this.handleRequest(null, known ?? false);
    const caller = request.user;
    if (scope !== undefined && caller?.scopes?.includes(scope) !== true) throw new ScopeRequired(scope);
    if (this.isMarked(ADMIN, context) && caller?.role !== 'admin') throw new AdminRequired();
    const current = requestContext();
    if (caller !== undefined && current !== undefined) current.recheckCaller = () => this.recheck(caller);
    return true;
  }

  /**
   * Accepts the secret of a service account as a bearer token on routes that require a scope: identity providers send one
   * fixed token. See docs/decisions/scim.md. Undefined without such a token; null for an invalid or expired one. Throws
   * TooManyAttempts.
   */
  private async bearerOfSecret({ headers }: Request): Promise<Principal | null | undefined> {
    const secret = bearer.exec(headers.authorization ?? '')?.[1];
    if (secret === undefined) return undefined;
    return this.limits.lookUpBearer(() => this.secrets.principalOf(secret));
  }

  /** Throws when the session has ended, or the user is disabled or has another role than at the start of the request. */
  private async recheck(caller: Principal): Promise<void> {
    const principal = await this.principals.resolve({ sub: caller.id, sid: caller.sessionId });
    if (principal === null) throw new UnauthorizedException();
    if (principal.role !== caller.role) throw new ForbiddenException();
  }

  /** Maps a malformed token to a 401; other errors, such as a database outage, propagate. */
  override handleRequest<T = Principal>(error: unknown, user: T | false): T {
    if (error && !(error instanceof SyntaxError)) throw error;
    if (error || !user) throw new UnauthorizedException();
    return user;
  }

  private isMarked(mark: string, context: ExecutionContext): boolean {
    return this.mark<boolean>(mark, context) === true;
  }

  private mark<T>(mark: string, context: ExecutionContext): T | undefined {
    return this.reflector.getAllAndOverride<T | undefined>(mark, [context.getHandler(), context.getClass()]);
  }
}
