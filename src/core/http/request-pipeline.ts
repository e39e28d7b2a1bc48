import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { PinoLogger } from 'nestjs-pino';
import { contextOf, inRequestContext, type RequestContext } from './request-context.js';
import { methodOf, routeOf } from './request-timing.js';
import { emit } from '../telemetry/telemetry-events.js';
import { traceRequests } from '../telemetry/tracing.js';
import { Config } from '../config/config.js';
import { StartupTasks } from '../lifecycle/startup-tasks.service.js';
import { InvalidRequest, Problem } from '../problems/problem.js';
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
    if (context.isProbe) return;
    const method = methodOf(request);
    const status = response.writableFinished || streamingSince !== undefined ? response.statusCode : 499;
    // The client ends a stream: the time counts until it began.
    const seconds = ((streamingSince ?? performance.now()) - startedAt) / 1000;
    emit('request_completed', { method, route: routeOf(request), status, seconds });
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
      context.isProbe = isProbe(request);
      response.setHeaders(defaults);
      // `fetch` adds `no-cache` to a request with If-None-Match, and Express would then never send a 304. Every response
      // is current, so the header has no other use.
      delete request.headers['cache-control'];
      traceRequests(request, response, next);
    });
  });
}

/**
 * Refuses all requests except probes until the database, its schema and the job queue can be used. The service listens
 * before that, so that `/livez` responds.
 */
export function refuseWhileStarting(app: NestExpressApplication): void {
  const startup = app.get(StartupTasks);
  app.use((request: Request, _response: Response, next: NextFunction) => {
    if (!startup.hasPassed('jobs') && !isProbe(request)) {
      throw new Problem('service_unavailable', 'The service is starting. Try again in a moment.', {
        retryAfter: 2,
      });
    }
    next();
  });
}

/** Rejects a query that is not percent-encoded UTF-8: Express would silently decode it to different text. */
export function wellFormedQuery({ url }: Request, _response: Response, next: NextFunction): void {
  const query = url.slice(url.indexOf('?') + 1);
  if (!query.includes('%') || query === url) {
    next();
    return;
  }
  try {
    decodeURIComponent(query);
    next();
  } catch {
    next(new InvalidRequest([{ pointer: '', detail: 'the query is not percent-encoded UTF-8' }]));
  }
}
