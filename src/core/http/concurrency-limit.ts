import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { Config } from '../config/config.js';
import { LoadShedderService } from './load-shedder.service.js';
import { isProbe } from './probes.js';
import { Overloaded } from './reject-overloaded.js';
import { ClientDisconnected } from './request-abort-signal.js';
import { problem } from '../problems/problem.js';
import { writeProblem } from '../problems/problem.filter.js';
import { requestContext } from './request-context.js';

/** Time for aborted work to finish on its own before a 504 is written in its place. */
const GRACE_MS = 500;
const safe = new Set(['GET', 'HEAD']);

class DeadlineExceeded extends problem(
  'deadline_exceeded',
  'The request exceeded its time limit and was canceled. Try again.',
) {}

/**
 * Limits the time until a response begins, and gives queries a signal that cancels them. A client disconnect aborts
 * only reads; a write that has begun continues.
 */
function withDeadline(seconds: number, request: Request, response: Response, next: () => void): void {
  const context = requestContext();
  if (context === undefined) return next();
  const giveUp = new AbortController();
  const respondWithProblem = (): void => {
    if (!response.headersSent && !response.destroyed) writeProblem(giveUp.signal.reason, request, response);
  };
  let timer = setTimeout(() => {
    if (response.headersSent) return;
    giveUp.abort(new DeadlineExceeded());
    timer = setTimeout(respondWithProblem, GRACE_MS);
  }, seconds * 1000);
  response.once('close', () => {
    clearTimeout(timer);
    if (!response.writableFinished && safe.has(request.method)) giveUp.abort(new ClientDisconnected());
  });
  context.signal = giveUp.signal;
  next();
}

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
