import i18next, { exists, t } from 'i18next';
import { keepFailure } from '../support/last-failure.js';
import type { components } from './schema.js';

export type Problem = components['schemas']['ProblemDto'];
/** The codes of the service, and of failures before its response. */
export type ProblemCode = Problem['code'] | 'unreachable' | 'unexpected_response';

/** Details of the service are English. */
const isEnglish = (): boolean => i18next.language.startsWith('en');

/** The usual details are translated; undefined for another one in another language than English. */
export function translatedDetail(detail: string): string | undefined {
  const key = `problem.${detail}`;
  if (exists(key)) return t(key);
  return isEnglish() ? detail : undefined;
}

/** A failed request. `status` is 0 without a response. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  private readonly at = performance.now();

  constructor(
    readonly code: ProblemCode,
    readonly status: number,
    detail: string,
    readonly problem?: Partial<Problem>,
    /** Seconds of `Retry-After`. */
    readonly retryAfter?: number,
  ) {
    super(detail);
  }

  /** Whether the same request may succeed later. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  get requestId(): string | undefined {
    return this.problem?.request_id;
  }

  /** Seconds until a retry is possible. */
  get secondsLeft(): number | undefined {
    if (this.retryAfter === undefined) return undefined;
    return Math.max(0, Math.ceil(this.retryAfter - (performance.now() - this.at) / 1000));
  }

  /** The error of one member of the body, such as `email`. */
  of(member: string): string | undefined {
    const found = this.problem?.errors?.find(({ pointer }) => pointer === `/${member}`);
    return found && (translatedDetail(found.detail) ?? t('This value is not accepted.'));
  }
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && 'status' in body && 'detail' in body;

/** The failure that a response describes, which is kept for a report of a problem. */
export function problemOf(response: Response, body: unknown): ProblemError {
  const seconds = Number(response.headers.get('Retry-After'));
  const retryAfter = seconds > 0 ? seconds : undefined;
  if (!isProblem(body)) return unexpected(response.status, retryAfter);
  const problem = new ProblemError(body.code, response.status, body.detail, body, retryAfter);
  keepFailure(problem);
  return problem;
}

/** A response that is not of the service. */
export const unexpected = (status: number, retryAfter?: number): ProblemError =>
  new ProblemError(
    'unexpected_response',
    status,
    t('The server responded with status {{status}}.', { status }),
    undefined,
    retryAfter,
  );

export const unreachable = (): ProblemError =>
  new ProblemError('unreachable', 0, 'The server did not respond.');
