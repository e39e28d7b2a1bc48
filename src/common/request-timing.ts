import type { Request, Response } from 'express';
import { happened, type Happenings } from './happenings.js';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The template that the router matched, never the path: that one anybody can make up. */
export const routeOf = (request: Request): string =>
  (request.route as { path?: string } | undefined)?.path ?? 'none';

/** Tells how a request ended that began then, by `performance.now()`. */
export function tellAnswered(
  request: Request,
  response: Response,
  began: number,
): Happenings['request_answered'] {
  const facts = {
    method: methods.has(request.method) ? request.method : 'other',
    route: routeOf(request),
    status: response.writableFinished ? response.statusCode : 499,
    seconds: (performance.now() - began) / 1000,
  };
  happened('request_answered', facts);
  return facts;
}
