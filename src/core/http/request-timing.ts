import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Returns a value of a closed set, as metric labels require. */
export const methodOf = ({ method = '' }: IncomingMessage): string =>
  methods.has(method) ? method : 'other';

/** Returns the template that the router matched, never the path, which clients can choose freely. */
export const routeOf = (request: Request): string =>
  (request.route as { path?: string } | undefined)?.path ?? 'none';
