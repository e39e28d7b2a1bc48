import type { Params } from 'nestjs-pino';
import type { Options } from 'pino-http';
import { logDestination } from './log-destination.js';
import { requestContext } from '../http/request-context.js';

/**
 * JSON, one line per request without body, query or headers, because these carry secrets. `http/request-pipeline.ts`
 * writes the line: pino-http would create a logger per request and miss responses that are sent before routing.
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
