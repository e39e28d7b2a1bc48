import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, NextFunction, Request, Response } from 'express';
import { requestContext } from '../common/request-context.js';
import { Config } from '../config/config.js';
import { withDeadline } from './request-deadline.js';
import { Load } from './load.service.js';
import { isProbe } from './probes.js';
import { Overloaded } from './turn-away.js';

/** Once the body is there: who sends it slowly takes nobody's place, and time counts for our own work only. */
export function boundWork(app: NestExpressApplication): void {
  const load = app.get(Load);
  const { bounds } = app.get(Config);
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (!isProbe(request)) {
      if (!load.hasRoom()) throw new Overloaded();
      load.work(response);
    }
    next();
  });
  const express: Express = app.getHttpAdapter().getInstance();
  express.post('/api/reports/:id/embed-token', (request, response, next) =>
    withDeadline(bounds.embedDeadlineSeconds, request, response, next),
  );
  app.use((request: Request, response: Response, next: NextFunction) => {
    // A route may have given a deadline of its own.
    if (requestContext()?.signal !== undefined) next();
    else withDeadline(bounds.deadlineSeconds, request, response, next);
  });
}
