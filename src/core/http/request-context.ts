import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { abortable } from '../async/abortable.js';
import { databaseUnavailable } from '../problems/database-problem.js';
import { clientIp } from './client-ip.js';

/** Longer than a statement may take. */
const OWN_DEADLINE_MS = 10_000;

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
  /** What the headers of a page say and its body does not: whether there is a next page, and the number of items. Part of the ETag. */
  page?: string;
  /** Probes are neither logged nor counted: they would dominate, and fail no user's request. */
  isProbe?: boolean;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Undefined outside a request (jobs, startup). */
export const requestContext = (): RequestContext | undefined => storage.getStore();

/** Id of the current request, or `-` outside one. */
export const requestId = (): string => storage.getStore()?.requestId ?? '-';

/** Runs `work` in a request context. A CLI command creates its own, because it has no HTTP request. */
export const inRequestContext = <T>(context: RequestContext, work: () => T): T => storage.run(context, work);

/** Runs work whose queries are cancelled by this signal, not with the request. */
export const withSignal = <T>(signal: AbortSignal, work: () => T): T =>
  storage.run({ requestId: '-', ip: '', userAgent: '', ...requestContext(), signal }, work);

/**
 * For short reads and writes of the database outside a request, or that must not be cancelled with it: shared work, counting
 * failed attempts, auditing denials. Throws a 503 problem and aborts their queries when the time is over. Otherwise a query on a
 * connection whose server has vanished, as after a failover, would wait for many minutes. `work` must not start anything that
 * lasts longer.
 */
export async function withOwnDeadline<T>(work: () => Promise<T>, ms = OWN_DEADLINE_MS): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(databaseUnavailable()), ms).unref();
  try {
    return await abortable(withSignal(deadline.signal, work), deadline.signal);
  } finally {
    clearTimeout(timer);
  }
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
