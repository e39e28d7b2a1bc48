import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';

/** What the audit trail and the log want to know of a request without it being handed through every call. */
export interface RequestContext {
  requestId: string;
  ip: string;
  userAgent: string;
  /** Aborts, with a Problem, when nobody waits for the answer any more: queries of the request are cancelled then. */
  signal?: AbortSignal;
  /** Of the trace that it belongs to, where there are traces. */
  traceId?: string;
  /** Left out of the log, where there would be nothing else. */
  isUnlogged?: boolean;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Undefined outside a request (jobs, start-up). */
export const requestContext = (): RequestContext | undefined => storage.getStore();

/** The id of the request at work, or `-` outside one. */
export const requestId = (): string => storage.getStore()?.requestId ?? '-';

/** Runs this as a part of a request; or of what no request asked for, but somebody did: a command. */
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

/** The caller's `X-Request-Id` when it is harmless, else a new one. */
export function idOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && acceptable.test(given) ? given : randomUUID();
}

export function contextOf(request: Request): RequestContext {
  const { headers, ip = '' } = request;
  const requestId = idOf(request);
  const userAgent = (headers['user-agent'] ?? '').slice(0, 256);
  return { requestId, ip, userAgent };
}
