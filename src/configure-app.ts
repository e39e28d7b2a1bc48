import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Response } from 'express';
import helmet from 'helmet';
import { Logger } from 'nestjs-pino';
import { ApiBudgets } from './auth/limits/api-budgets.service.js';
import { jsonBody } from './common/json-body.js';
import { withRequestContext } from './common/request-context.js';
import { timeRequests } from './common/request-timing.js';
import { traceRequests } from './common/tracing.js';
import { Config } from './config/config.js';
import { wellFormedQuery } from './common/well-formed-query.js';
import { serveDocs } from './docs.js';
import { boundLoad, boundWork } from './http/bound-http.js';
import { boundRequest } from './http/request-bounds.js';

/** Everything between the socket and the routes; the service and its tests use the same. */
export function configureApp(app: NestExpressApplication): void {
  const { http } = app.get(Config);
  app.useLogger(app.get(Logger));
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.set('trust proxy', http.trustProxy.length > 0 ? http.trustProxy : false);
  app.use(timeRequests);
  app.use(withRequestContext);
  boundLoad(app);
  app.use(traceRequests);
  app.use(
    helmet({
      // Answers are data: nothing in them is ever run or framed. Pages bring a policy of their own.
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
      frameguard: { action: 'deny' },
    }),
  );
  app.use(
    (
      request: { headers: Record<string, unknown> },
      response: { setHeader(name: string, value: string): void },
      next: () => void,
    ) => {
      // `fetch` adds `no-cache` to whoever sends If-None-Match, and Express would then never answer 304. Nothing here
      // comes out of a cache.
      delete request.headers['cache-control'];
      response.setHeader('Cache-Control', 'private, no-cache');
      next();
    },
  );
  if (http.corsOrigins.length > 0) {
    app.enableCors({
      origin: http.corsOrigins,
      exposedHeaders: ['Link', 'Location', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'],
    });
  }
  app.use(boundRequest);
  const budgets = app.get(ApiBudgets);
  app.use('/api', async (_request: unknown, response: Response, next: () => void) => {
    await budgets.spendAddress(response);
    next();
  });
  app.use(wellFormedQuery);
  app.use(jsonBody());
  boundWork(app);
  if (http.docsEnabled) serveDocs(app);
}
