import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { PinoLogger } from 'nestjs-pino';
import { contextOf, inRequestContext, type RequestContext } from './request-context.js';
import { recordResponse } from './request-timing.js';
import { traceRequests } from '../telemetry/tracing.js';
import { Config } from '../config/config.js';
import type { HardenedExpressAdapter } from './hardened-express.adapter.js';
import { LoadShedderService } from './load-shedder.service.js';
import { isProbe } from './probes.js';
import { securityHeaders } from './security-headers.js';
import { rejectOverloaded } from './reject-overloaded.js';

/** Overrides pino-http's serializers, which expect Node's own request and response objects. */
const identitySerializers = { req: (req: object) => req, res: (res: object) => res };

/**
 * Sets up what every request needs, whatever its outcome: request id, load tracking, default headers, log line and
 * metrics. Overload is rejected before that, where a rejection costs least.
 */
export function installRequestPipeline(app: NestExpressApplication): void {
  const load = app.get(LoadShedderService);
  const { http } = app.get(Config);
  const headers = securityHeaders(http);
  const defaults = new Map(Object.entries({ ...headers, 'Cache-Control': 'private, no-cache' }));
  // These lines never contain values that need redaction.
  const log = PinoLogger.root.child({}, { redact: [], serializers: identitySerializers });

  const finish = (request: Request, response: Response, context: RequestContext, startedAt: number): void => {
    const streamingSince = load.streamingSince(response);
    load.release(response);
    const { method, status, seconds } = recordResponse(request, response, { startedAt, streamingSince });
    if (context.isUnlogged) return;
    const line = {
      request_id: context.requestId,
      trace_id: context.traceId,
      req: { method: request.method, path: request.path },
      res: { status },
      ms: Math.round(seconds * 1000),
    };
    log[status >= 500 ? 'error' : 'info'](line, `${method} ${status}`);
  };

  const adapter = app.getHttpAdapter() as unknown as HardenedExpressAdapter;
  adapter.rejects = (request, response) => {
    if (isProbe(request) || load.canAccept()) return false;
    rejectOverloaded(request, response, { corsOrigins: http.corsOrigins, headers, isLast: load.isDraining });
    return true;
  };

  app.use((request: Request, response: Response, next: NextFunction) => {
    const startedAt = performance.now();
    const context = contextOf(request);
    response.setHeader('X-Request-Id', context.requestId);
    response.once('close', () => finish(request, response, context, startedAt));
    load.track(response);
    inRequestContext(context, () => {
      context.isUnlogged = isProbe(request);
      response.setHeaders(defaults);
      // `fetch` adds `no-cache` to a request with If-None-Match, and Express would then never send a 304. Every response
      // is current, so the header has no other use.
      delete request.headers['cache-control'];
      traceRequests(request, response, next);
    });
  });
}
