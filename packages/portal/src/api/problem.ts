import type { components } from './schema.js';

export type Problem = components['schemas']['ProblemDto'];
/** Codes of the service, and what only the browser can notice. */
export type ProblemCode = Problem['code'] | 'unreachable' | 'unexpected_answer';

/** A failed request. `status` 0: there was no answer. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  private readonly at = performance.now();

  constructor(
    readonly code: ProblemCode,
    readonly status: number,
    detail: string,
    readonly problem?: Partial<Problem>,
    /** Seconds to wait, when the service said so. */
    readonly retryAfter?: number,
  ) {
    super(detail);
  }

  get requestId(): string | undefined {
    return this.problem?.request_id;
  }

  /** Of the wait that the service asked for. */
  get secondsLeft(): number | undefined {
    if (this.retryAfter === undefined) return undefined;
    return Math.max(0, Math.ceil(this.retryAfter - (performance.now() - this.at) / 1000));
  }

  /** What is wrong with one member of the body, e.g. `email`. */
  of(member: string): string | undefined {
    return this.problem?.errors?.find(({ pointer }) => pointer === `/${member}`)?.detail;
  }
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && 'status' in body && 'detail' in body;

/** What the body of an answer that is no success means. */
export function problemOf(response: Response, body: unknown): ProblemError {
  const seconds = Number(response.headers.get('Retry-After'));
  const retryAfter = seconds > 0 ? seconds : undefined;
  if (isProblem(body)) return new ProblemError(body.code, response.status, body.detail, body, retryAfter);
  return new ProblemError(
    'unexpected_answer',
    response.status,
    `Status ${response.status}`,
    undefined,
    retryAfter,
  );
}

export const unreachable = (): ProblemError =>
  new ProblemError('unreachable', 0, 'The service cannot be reached.');
