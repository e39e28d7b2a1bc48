import type { NextFunction, Request, Response } from 'express';
import { requestContext } from '../http/request-context.js';
// Only the type: OpenTelemetry is loaded only if tracing is configured.
import type { OtelTracing } from './otel-tracing.js';

type Attributes = Record<string, string | number>;

let tracing: OtelTracing | undefined;

/** One per process; undefined disables tracing. */
export function useTracing(used: OtelTracing | undefined): void {
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
