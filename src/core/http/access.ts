import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Request } from 'express';
import type { Principal } from './principal.js';

export const PUBLIC = 'access:public';
export const ADMIN = 'access:admin';

/** The only way past the global guard. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC, true);

/** For platform admins; everybody else gets a 403. */
export const AdminOnly = (): MethodDecorator & ClassDecorator => SetMetadata(ADMIN, true);

/** The principal that the guard let in. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { user } = context.switchToHttp().getRequest<Request>();
  if (user === undefined) throw new TypeError('@Caller() on a route that lets anyone in');
  return user;
});
