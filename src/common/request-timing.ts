import type { NextFunction, Request, Response } from 'express';
import { happened } from './happenings.js';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The template that the router matched, never the path: that one anybody can make up. */
export const routeOf = (request: Request): string =>
  (request.route as { path?: string } | undefined)?.path ?? 'none';

/** Tells how each request ended, however it did. */
export function timeRequests(request: Request, response: Response, next: NextFunction): void {
  const began = performance.now();
  response.once('close', () => {
    happened('request_answered', {
      method: methods.has(request.method) ? request.method : 'other',
      route: routeOf(request),
      status: response.writableFinished ? response.statusCode : 499,
      seconds: (performance.now() - began) / 1000,
    });
  });
  next();
}
