import type { ProblemError } from '../api/problem.js';

/** The last response of the service with an error, for a report of a problem. */
export interface LastFailure {
  code: string;
  requestId: string;
  at: Date;
}

let last: LastFailure | undefined;

export const lastFailure = (): LastFailure | undefined => last;

export function keepFailure({ code, requestId }: ProblemError): void {
  if (requestId !== undefined) last = { code, requestId, at: new Date() };
}

export function forgetFailure(): void {
  last = undefined;
}
