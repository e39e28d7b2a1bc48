import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { clientIp } from './client-ip.js';

/** Request data for the audit trail and the log, available without passing it through every call. */
export interface RequestContext {
  requestId: string;
  ip: string;
  userAgent: string;
  /** Aborts with a Problem when the response is no longer needed; the queries of the request are then cancelled. */
  signal?: AbortSignal;
  /** Throws when the caller may no longer make the request: a response that is written for long repeats it. */
  recheckCaller?: () => Promise<void>;
  /** Id of the request's trace; absent without tracing. */
  traceId?: string;
  /** Excludes probes from the log, which they would dominate. */
  isUnlogged?: boolean;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Undefined outside a request (jobs, startup). */
export const requestContext = (): RequestContext | undefined => storage.getStore();

/** Id of the current request, or `-` outside one. */
export const requestId = (): string => storage.getStore()?.requestId ?? '-';

/** Runs `work` in a request context. A CLI command creates its own, because it has no HTTP request. */
export const inRequestContext = <T>(context: RequestContext, work: () => T): T => storage.run(context, work);

/** Runs work that must not be cancelled with its request: shared work, counting failed attempts, auditing denials. */
export function withoutDeadline<T>(work: () => T): T {
  const context = storage.getStore();
  return context?.signal === undefined ? work() : storage.run({ ...context, signal: undefined }, work);
}

const acceptable = /^[A-Za-z0-9._-]{1,64}$/;

/** Returns the client's `X-Request-Id` if it is well-formed, otherwise a new id. */
export function idOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && acceptable.test(given) ? given : randomUUID();
}

export function contextOf(request: Request): RequestContext {
  const { headers } = request;
  const requestId = idOf(request);
  const userAgent = (headers['user-agent'] ?? '').slice(0, 256);
  return { requestId, ip: clientIp(request), userAgent };
}
