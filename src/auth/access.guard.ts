import { type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { ADMIN, PUBLIC, SCOPE } from '../core/http/access.js';
import type { Principal, Scope } from '../core/http/principal.js';
import { AdminRequired, ScopeRequired } from './auth.errors.js';
import { JwtStrategy } from './jwt.strategy.js';
import { SecretBearersService } from './secret-bearers.service.js';

/** Registered globally: rejects every request without a valid token unless the route is `@Public()`. */
@Injectable()
export class AccessGuard extends AuthGuard('jwt') {
  constructor(
    private readonly reflector: Reflector,
    private readonly strategy: JwtStrategy,
    private readonly secretBearers: SecretBearersService,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.isMarked(PUBLIC, context)) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const scope = this.mark<Scope>(SCOPE, context);
    const known =
      (scope && (await this.secretBearers.resolve(request))) ?? (await this.strategy.revalidate(request));
    if (known === undefined) await super.canActivate(context);
    else request.user = this.handleRequest(null, known ?? false);
    const caller = request.user;
    if (scope !== undefined && caller?.scopes?.includes(scope) !== true) throw new ScopeRequired(scope);
    if (this.isMarked(ADMIN, context) && caller?.role !== 'admin') throw new AdminRequired();
    return true;
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
