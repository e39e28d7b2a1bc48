import type { Request, Response } from 'express';
import { ClientDisconnected } from './request-abort-signal.js';
import { Problem } from '../problems/problem.js';
import { writeProblem } from '../problems/problem.filter.js';
import { inRequestContext, requestContext } from './request-context.js';

/** Time for aborted work to finish on its own before a 504 is written in its place. */
const GRACE_MS = 500;
const safe = new Set(['GET', 'HEAD']);

class DeadlineExceeded extends Problem {
  constructor() {
    super('deadline_exceeded', 'The request exceeded its time limit and was canceled. Try again.');
  }
}

/**
 * Limits the time until a response begins, and gives queries a signal that cancels them. A client disconnect aborts
 * only reads; a write that has begun continues.
 */
export function withDeadline(seconds: number, request: Request, response: Response, next: () => void): void {
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
  inRequestContext({ ...context, signal: giveUp.signal }, next);
}
