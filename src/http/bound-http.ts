import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { Config } from '../config/config.js';
import { boundRequest } from './request-bounds.js';
import { withDeadline } from './request-deadline.js';
import { Load } from './load.service.js';

/** Asked by whoever decides over the life of this replica: never turned away, never counted. */
const probes = new Set(['/livez', '/readyz']);

/** Before the body is read: what costs nothing to refuse is refused at once. */
export function boundArrival(app: NestExpressApplication): void {
  const load = app.get(Load);
  app.use(boundRequest);
  app.use((request: Request, response: Response, next: NextFunction) => {
    load.arrive(response);
    if (!probes.has(request.path)) load.requireRoom();
    next();
  });
}

/** Once the body is there: who sends it slowly takes nobody's place, and time counts for our own work only. */
export function boundWork(app: NestExpressApplication): void {
  const load = app.get(Load);
  const { bounds } = app.get(Config);
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (!probes.has(request.path)) {
      load.requireRoom();
      load.work(response);
    }
    withDeadline(bounds, request, response, next);
  });
}
