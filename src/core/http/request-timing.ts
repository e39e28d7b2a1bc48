import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { emit, type TelemetryEvents } from '../telemetry/telemetry-events.js';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Returns a value of a closed set, as metric labels require. */
export const methodOf = ({ method = '' }: IncomingMessage): string =>
  methods.has(method) ? method : 'other';

/** Returns the template that the router matched, never the path, which clients can choose freely. */
export const routeOf = (request: Request): string =>
  (request.route as { path?: string } | undefined)?.path ?? 'none';

interface Times {
  /** `performance.now()`, as is `streamingSince`. */
  startedAt: number;
  /** Only of a stream, whose client ends it: the time counts until it began. */
  streamingSince: number | undefined;
}

/** Emits and returns the outcome of a request. */
export function recordResponse(
  request: Request,
  response: Response,
  { startedAt, streamingSince }: Times,
): TelemetryEvents['request_completed'] {
  const facts = {
    method: methodOf(request),
    route: routeOf(request),
    status: response.writableFinished || streamingSince !== undefined ? response.statusCode : 499,
    seconds: ((streamingSince ?? performance.now()) - startedAt) / 1000,
  };
  emit('request_completed', facts);
  return facts;
}
