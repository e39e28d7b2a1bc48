import type { NextFunction, Request, Response } from 'express';

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
  traceId(): string | undefined;
}

let tracing: Tracing | undefined;

/** One for the process; undefined switches it off. */
export function useTracing(used: Tracing | undefined): void {
  tracing = used;
}

export function traceRequests(request: Request, response: Response, next: NextFunction): void {
  if (tracing === undefined) next();
  else tracing.request(request, response, next);
}

/** A call of another system, with the headers that belong to it. */
export const tracedCall = <T>(
  name: string,
  attributes: Attributes,
  work: (headers: Record<string, string>) => Promise<T>,
): Promise<T> => (tracing === undefined ? work({}) : tracing.call(name, attributes, work));

/** Of the request at work; undefined without traces. */
export const traceId = (): string | undefined => tracing?.traceId();
