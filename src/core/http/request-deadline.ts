import type { Request, Response } from 'express';
import { ClientDisconnected } from './request-abort-signal.js';
import { Problem } from '../problems/problem.js';
import { writeProblem } from '../problems/problem.filter.js';
import { inRequestContext, requestContext } from './request-context.js';

/** What the work itself has, to end by the signal, before it is answered in its place. */
const GRACE_MS = 500;
const safe = new Set(['GET', 'HEAD']);

class DeadlineExceeded extends Problem {
  constructor() {
    super('deadline_exceeded', 'This took too long and was given up. Try again.');
  }
}

/**
 * Gives a request so long to begin its answer, and its queries a signal that ends them. A caller that goes away ends
 * what only reads; a change that was begun is brought to its end.
 */
export function withDeadline(seconds: number, request: Request, response: Response, next: () => void): void {
  const context = requestContext();
  if (context === undefined) return next();
  const giveUp = new AbortController();
  const answerInstead = (): void => {
    if (!response.headersSent && !response.destroyed) writeProblem(giveUp.signal.reason, request, response);
  };
  let timer = setTimeout(() => {
    if (response.headersSent) return;
    giveUp.abort(new DeadlineExceeded());
    timer = setTimeout(answerInstead, GRACE_MS);
  }, seconds * 1000);
  response.once('close', () => {
    clearTimeout(timer);
    if (!response.writableFinished && safe.has(request.method)) giveUp.abort(new ClientDisconnected());
  });
  inRequestContext({ ...context, signal: giveUp.signal }, next);
}
