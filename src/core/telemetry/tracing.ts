import type { NextFunction, Request, Response } from 'express';
import { requestContext } from '../http/request-context.js';

type Attributes = Record<string, string | number>;

/** Spans of one request: what came in, what it asked of others. Implemented in `tracing/`, and only loaded when asked for. */
export interface Tracing {
  request(request: Request, response: Response, next: NextFunction): void;
  /** `headers` pass the trace on to whoever is called. */
  call<T>(
    name: string,
    attributes: Attributes,
    work: (headers: Record<string, string>) => Promise<T>,
  ): Promise<T>;
  /** SQL without its values, the milliseconds that it took, and how it failed. */
  statement(text: string, milliseconds: number, error: unknown): void;
  traceId(): string | undefined;
}

let tracing: Tracing | undefined;

/** One for the process; undefined switches it off. */
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

/** A call of another system, with the headers that belong to it. */
export const tracedCall = <T>(
  name: string,
  attributes: Attributes,
  work: (headers: Record<string, string>) => Promise<T>,
): Promise<T> => (tracing === undefined ? work({}) : tracing.call(name, attributes, work));

/** A statement that TypeORM does not send, and therefore does not tell of. */
export async function tracedStatement<T>(text: string, work: () => Promise<T>): Promise<T> {
  if (tracing === undefined) return work();
  const began = performance.now();
  let failure: unknown;
  try {
    return await work();
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    tracing.statement(text, performance.now() - began, failure);
  }
}
