import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { PinoLogger } from 'nestjs-pino';
import { contextOf, inRequestContext, type RequestContext } from '../common/request-context.js';
import { tellAnswered } from '../common/request-timing.js';
import { traceRequests } from '../common/tracing.js';
import { Config } from '../config/config.js';
import type { BoundedExpress } from './bounded-server.js';
import { Load } from './load.service.js';
import { isProbe } from './probes.js';
import { turnAway } from './turn-away.js';

/** Answers are data: nothing in them is ever run or framed. Pages bring a policy of their own. */
const protect = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  frameguard: { action: 'deny' },
  strictTransportSecurity: false,
});

const YEAR_SECONDS = 31_536_000;

/** pino-http would read them as Node's own objects. */
const asTheyAre = { req: (req: object) => req, res: (res: object) => res };

/** Helmet's headers are the same for every answer: it is asked once. */
function protectiveHeaders(): [string, string][] {
  const headers: [string, string][] = [];
  const recorder = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  };
  protect({} as Request, recorder as unknown as Response, () => undefined);
  return headers;
}

/**
 * One step for what every request needs, whatever becomes of it: an id, a place among those that are waited for, its
 * headers, a line in the log and in the metrics. What cannot be done is refused before that, while it costs least.
 */
export function receiveRequests(app: NestExpressApplication): void {
  const load = app.get(Load);
  const { corsOrigins, hstsIncludesSubdomains } = app.get(Config).http;
  // Other names of the host may be served by others, who have not agreed to https.
  const hsts = `max-age=${YEAR_SECONDS}${hstsIncludesSubdomains ? '; includeSubDomains' : ''}`;
  const headers = [
    ...protectiveHeaders(),
    ['Strict-Transport-Security', hsts] as const,
    ['Cache-Control', 'private, no-cache'] as const,
  ];

  // Nothing that has to be blackened is ever in these lines.
  const log = PinoLogger.root.child({}, { redact: [], serializers: asTheyAre });

  const finish = (request: Request, response: Response, context: RequestContext, began: number): void => {
    load.end(response);
    const { method, status, seconds } = tellAnswered(request, response, began);
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

  const adapter = app.getHttpAdapter() as unknown as BoundedExpress;
  adapter.turnsAway = (request, response) => {
    if (isProbe(request) || load.hasRoom()) return false;
    turnAway(request, response, { corsOrigins, hsts, isLast: load.isLeaving });
    return true;
  };

  app.use((request: Request, response: Response, next: NextFunction) => {
    const began = performance.now();
    const context = contextOf(request);
    response.setHeader('X-Request-Id', context.requestId);
    response.once('close', () => finish(request, response, context, began));
    load.arrive(response);
    inRequestContext(context, () => {
      context.isUnlogged = isProbe(request);
      for (const [name, value] of headers) response.setHeader(name, value);
      // `fetch` adds `no-cache` to whoever sends If-None-Match, and Express would then never answer 304. What is
      // remembered here is never older than it may be.
      delete request.headers['cache-control'];
      traceRequests(request, response, next);
    });
  });
}
