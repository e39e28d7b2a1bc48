import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { Config } from '../config/config.js';
import { withDeadline } from './request-deadline.js';
import { LoadShedderService } from './load-shedder.service.js';
import { isProbe } from './probes.js';
import { Overloaded } from './reject-overloaded.js';

/** Matches the path in every form that the router accepts. */
const embedToken = /^\/api\/reports\/[^/]+\/embed-token\/?$/i;

/** Runs after body parsing, so a slow upload holds no slot and the deadline covers only the service's own work. */
export function limitConcurrency(app: NestExpressApplication): void {
  const load = app.get(LoadShedderService);
  const { serverLimits } = app.get(Config);
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (!isProbe(request)) {
      if (!load.canAccept()) throw new Overloaded();
      load.acquire(response);
    }
    next();
  });
  app.use((request: Request, response: Response, next: NextFunction) => {
    const isEmbedToken = request.method === 'POST' && embedToken.test(request.path);
    const seconds = isEmbedToken ? serverLimits.embedDeadlineSeconds : serverLimits.deadlineSeconds;
    withDeadline(seconds, request, response, next);
  });
}
