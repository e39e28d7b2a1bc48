import { type ExecutionContext, ForbiddenException, Injectable, UnauthorizedException } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { ADMIN, PUBLIC } from '../core/http/access.js';
import type { Principal } from '../core/http/principal.js';
import { JwtStrategy } from './jwt.strategy.js';

/** Registered globally: rejects every request without a valid token unless the route is `@Public()`. */
@Injectable()
export class AccessGuard extends AuthGuard('jwt') {
  constructor(
    private readonly reflector: Reflector,
    private readonly strategy: JwtStrategy,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.isMarked(PUBLIC, context)) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const known = await this.strategy.revalidate(request);
    if (known === undefined) await super.canActivate(context);
    else request.user = this.handleRequest(null, known ?? false);
    const caller = request.user;
    if (this.isMarked(ADMIN, context) && caller?.role !== 'admin') throw new ForbiddenException();
    return true;
  }

  /** Maps a malformed token to a 401; other errors, such as a database outage, propagate. */
  override handleRequest<T = Principal>(error: unknown, user: T | false): T {
    if (error && !(error instanceof SyntaxError)) throw error;
    if (error || !user) throw new UnauthorizedException();
    return user;
  }

  private isMarked(mark: string, context: ExecutionContext): boolean {
    return Boolean(this.reflector.getAllAndOverride(mark, [context.getHandler(), context.getClass()]));
  }
}
