import type { Params } from 'nestjs-pino';
import type { Options } from 'pino-http';
import { logDestination } from './log-destination.js';
import { requestId } from './request-context.js';
import { traceId } from './tracing.js';

/** JSON, one line a request, with no body, no query and no header in it: secrets travel in those. */
export const loggerOptions = (level: string): Params => ({
  pinoHttp: [httpOptions(level), logDestination()],
});

const httpOptions = (level: string): Options => ({
  level,
  genReqId: requestId,
  quietReqLogger: true,
  mixin: () => ({ trace_id: traceId() }),
  autoLogging: { ignore: ({ url }) => url === '/livez' || url === '/readyz' },
  customAttributeKeys: { reqId: 'request_id', responseTime: 'ms' },
  customSuccessMessage: (request, response) => `${request.method} ${response.statusCode}`,
  customErrorMessage: (request, response) => `${request.method} ${response.statusCode}`,
  serializers: {
    req: ({ method, url }: { method: string; url: string }) => ({ method, path: url.split('?')[0] }),
    res: ({ statusCode }: { statusCode: number }) => ({ status: statusCode }),
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
