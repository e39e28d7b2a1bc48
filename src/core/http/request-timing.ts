import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { emit, type TelemetryEvents } from '../telemetry/telemetry-events.js';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Bounded, as labels of metrics have to be. */
export const methodOf = ({ method = '' }: IncomingMessage): string =>
  methods.has(method) ? method : 'other';

/** The template that the router matched, never the path: that one anybody can make up. */
export const routeOf = (request: Request): string =>
  (request.route as { path?: string } | undefined)?.path ?? 'none';

/** Tells how a request ended that began then, by `performance.now()`. */
export function recordResponse(
  request: Request,
  response: Response,
  began: number,
): TelemetryEvents['request_answered'] {
  const facts = {
    method: methodOf(request),
    route: routeOf(request),
    status: response.writableFinished ? response.statusCode : 499,
    seconds: (performance.now() - began) / 1000,
  };
  emit('request_answered', facts);
  return facts;
}
