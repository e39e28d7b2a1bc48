import { AsyncLocalStorage } from 'node:async_hooks';
import type { NextFunction, Request, Response } from 'express';
import { v7 as uuidv7 } from 'uuid';

/** What the audit trail and the log want to know of a request without it being handed through every call. */
export interface RequestContext {
  requestId: string;
  ip: string;
  userAgent: string;
  /** Aborts, with a Problem, when nobody waits for the answer any more: queries of the request are cancelled then. */
  signal?: AbortSignal;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Undefined outside a request (jobs, start-up). */
export const requestContext = (): RequestContext | undefined => storage.getStore();

/** The id of the request at work, or `-` outside one. */
export const requestId = (): string => storage.getStore()?.requestId ?? '-';

/** Runs what no request asked for, but somebody did: a command. */
export const inRequestContext = <T>(context: RequestContext, work: () => T): T => storage.run(context, work);

/**
 * Runs what belongs to a request but must not end with it: work that others share, counting of guesses, the trail of
 * denials.
 */
export function withoutDeadline<T>(work: () => T): T {
  const context = storage.getStore();
  return context?.signal === undefined ? work() : storage.run({ ...context, signal: undefined }, work);
}

const acceptable = /^[A-Za-z0-9._-]{1,64}$/;

/** Gives each request its id (the caller's `X-Request-Id` when it is harmless) and echoes it. */
export function withRequestContext(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && acceptable.test(given) ? given : uuidv7();
  response.setHeader('X-Request-Id', id);
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, 256);
  storage.run({ requestId: id, ip: request.ip ?? '', userAgent }, next);
}
