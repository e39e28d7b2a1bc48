import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { Config } from '../config/config.js';
import { withDeadline } from './request-deadline.js';
import { Load } from './load.service.js';
import { Overloaded, turnAway } from './turn-away.js';

/** Asked by whoever decides over the life of this replica: never turned away, never counted. */
const probes = new Set(['/livez', '/readyz']);

/** Before anything else: what cannot be done is refused while that costs least. */
export function boundLoad(app: NestExpressApplication): void {
  const load = app.get(Load);
  const { corsOrigins } = app.get(Config).http;
  app.use((request: Request, response: Response, next: NextFunction) => {
    load.arrive(response);
    if (probes.has(request.path) || load.hasRoom()) next();
    else turnAway(request, response, corsOrigins);
  });
}

/** Once the body is there: who sends it slowly takes nobody's place, and time counts for our own work only. */
export function boundWork(app: NestExpressApplication): void {
  const load = app.get(Load);
  const { bounds } = app.get(Config);
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (!probes.has(request.path)) {
      if (!load.hasRoom()) throw new Overloaded();
      load.work(response);
    }
    withDeadline(bounds, request, response, next);
  });
}
