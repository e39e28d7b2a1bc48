import type { Params } from 'nestjs-pino';
import type { Options } from 'pino-http';
import { logDestination } from './log-destination.js';
import { requestContext } from '../http/request-context.js';

/**
 * JSON, one line a request, with no body, no query and no header in it: secrets travel in those. The line is written by
 * `http/arrival.ts`: pino-http would make a logger for each request, and would not see what is answered before the routes.
 */
export const loggerOptions = (level: string): Params => ({
  forRoutes: [],
  pinoHttp: [logOptions(level), logDestination()],
});

const logOptions = (level: string): Options => ({
  level,
  mixin: () => {
    const context = requestContext();
    return context === undefined ? {} : { request_id: context.requestId, trace_id: context.traceId };
  },
  redact: [
    '*.password',
    '*.token',
    '*.secret',
    '*.authorization',
    'err.body',
    'err.config',
    'err.parameters',
    'err.query',
  ],
});
