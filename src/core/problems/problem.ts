import { problemCatalogue, type ProblemCode } from './problem-catalogue.js';

/** One invalid value: a JSON pointer into the body, or `/name` for a query parameter. */
export interface InvalidValue {
  pointer: string;
  detail: string;
}

interface ProblemOptions {
  errors?: InvalidValue[];
  /** Seconds after which a retry may succeed. */
  retryAfter?: number;
  /** Underlying error, for the log only. */
  cause?: unknown;
}

/** A failure that a client can act on. Features extend it, one class per failure; the filter writes it as RFC 9457. */
export class Problem extends Error {
  readonly errors?: InvalidValue[];
  readonly retryAfter?: number;

  /** `detail` is public: no names, ids or addresses that the caller did not send. */
  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    options: ProblemOptions = {},
  ) {
    super(`${code}: ${detail}`, { cause: options.cause });
    this.errors = options.errors;
    this.retryAfter = options.retryAfter;
  }

  get entry(): (typeof problemCatalogue)[ProblemCode] {
    return problemCatalogue[this.code];
  }
}

/** The body of a problem response (RFC 9457). */
export function problemBody(
  { code, detail, errors }: Pick<Problem, 'code' | 'detail' | 'errors'>,
  instance: string,
  request_id: string,
): object {
  const { status, title } = problemCatalogue[code];
  return { type: `urn:vitrine:problem:${code}`, title, status, detail, instance, code, request_id, errors };
}

/** The base class of a failure that always has the same description. */
export const problem = (code: ProblemCode, detail: string, options?: ProblemOptions): new () => Problem =>
  class extends Problem {
    constructor() {
      super(code, detail, options);
    }
  };

/** For a path below which only files are served. */
export class FileMissing extends problem('route_not_found', 'No resource exists at this path.') {}

export class InvalidRequest extends Problem {
  constructor(errors: InvalidValue[]) {
    super('invalid_request', detailOf(errors), { errors });
  }
}

function detailOf([first]: InvalidValue[]): string {
  if (first === undefined) return 'The request has invalid values.';
  // The body or the query as a whole.
  return first.pointer === '' ? sentence(first.detail) : `${first.pointer}: ${first.detail}`;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
