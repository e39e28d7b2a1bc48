import type { INestApplication } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { StartupTasks } from '../lifecycle/startup-tasks.service.js';
import { Problem } from '../problems/problem.js';
import { isProbe } from './probes.js';

const RETRY_SECONDS = 2;

/**
 * Refuses all requests except probes until the database, its schema and the job queue can be used. The service listens
 * before that, so that `/livez` responds.
 */
export function refuseWhileStarting(app: INestApplication): void {
  const startup = app.get(StartupTasks);
  app.use((request: Request, _response: Response, next: NextFunction) => {
    if (!startup.hasPassed('jobs') && !isProbe(request)) {
      throw new Problem('service_unavailable', 'The service is starting. Try again in a moment.', {
        retryAfter: RETRY_SECONDS,
      });
    }
    next();
  });
}
