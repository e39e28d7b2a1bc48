import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { Config } from '../config/config.js';
import { withDeadline } from './request-deadline.js';
import { Load } from './load-shedder.service.js';
import { isProbe } from './probes.js';
import { Overloaded } from './reject-overloaded.js';

/** Its path in any form that the router accepts. */
const embedToken = /^\/api\/reports\/[^/]+\/embed-token\/?$/i;

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
  app.use((request: Request, response: Response, next: NextFunction) => {
    const isEmbedToken = request.method === 'POST' && embedToken.test(request.path);
    const seconds = isEmbedToken ? bounds.embedDeadlineSeconds : bounds.deadlineSeconds;
    withDeadline(seconds, request, response, next);
  });
}
