import type { NextFunction, Request, Response } from 'express';
import { requestContext } from '../http/request-context.js';

type Attributes = Record<string, string | number>;

/**
 * Spans of a request and its outgoing calls. Implemented in `otel-tracing.ts`, which is loaded only if tracing is
 * configured.
 */
export interface Tracing {
  request(request: Request, response: Response, next: NextFunction): void;
  /** `headers` propagate the trace to the called system. */
  call<T>(
    name: string,
    attributes: Attributes,
    work: (headers: Record<string, string>) => Promise<T>,
  ): Promise<T>;
  /** SQL text without values, its duration, and the error if it failed. */
  statement(text: string, milliseconds: number, error: unknown): void;
  traceId(): string | undefined;
}

let tracing: Tracing | undefined;

/** One per process; undefined disables tracing. */
export function useTracing(used: Tracing | undefined): void {
  tracing = used;
}

export function traceRequests(request: Request, response: Response, next: NextFunction): void {
  if (tracing === undefined) {
    next();
    return;
  }
  tracing.request(request, response, () => {
    const context = requestContext();
    if (context !== undefined) context.traceId = tracing?.traceId();
    next();
  });
}

/** Traces a call to another system. `work` receives the headers that propagate the trace. */
export const tracedCall = <T>(
  name: string,
  attributes: Attributes,
  work: (headers: Record<string, string>) => Promise<T>,
): Promise<T> => (tracing === undefined ? work({}) : tracing.call(name, attributes, work));

/** Traces a statement that bypasses TypeORM and therefore its subscribers. */
export async function tracedStatement<T>(text: string, work: () => Promise<T>): Promise<T> {
  if (tracing === undefined) return work();
  const startedAt = performance.now();
  let failure: unknown;
  try {
    return await work();
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    tracing.statement(text, performance.now() - startedAt, failure);
  }
}
