import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '#openapi';
import type { Request } from 'express';
import type { Principal, Scope } from './principal.js';

export const PUBLIC = 'access:public';
export const ADMIN = 'access:admin';
export const SCOPE = 'access:scope';
/** Tells the OpenAPI document which operations are for admins. */
export const ADMIN_EXTENSION = 'x-admin-only';

/** The only opt-out from the global guard. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC, true);

/** Platform admins only; other callers receive a 403. */
export const AdminOnly = (): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(ADMIN, true), ApiExtension(ADMIN_EXTENSION, true));

/** Service accounts with this scope only; other callers receive a 403. Their secret is accepted as a bearer token. */
export const RequiresScope = (scope: Scope): MethodDecorator & ClassDecorator => SetMetadata(SCOPE, scope);

/** The authenticated principal. Throws TypeError on a route without authentication. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { user } = context.switchToHttp().getRequest<Request>();
  if (user === undefined) throw new TypeError('@Caller() requires a route with authentication');
  return user;
});
