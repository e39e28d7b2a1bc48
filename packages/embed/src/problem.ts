/**
 * - `revoked`: the user has no access to the report, or the report no longer exists.
 * - `signed_out`: no user is signed in, or the service rejects the access token.
 * - `unavailable`: temporary; the request is retried.
 * - `failed`: neither a retry nor signing in helps.
 */
export type EmbedProblemKind = 'revoked' | 'signed_out' | 'unavailable' | 'failed';

interface EmbedProblemDetails {
  kind: EmbedProblemKind;
  code: string;
  status?: number;
  requestId?: string;
  /** In seconds. */
  retryAfter?: number;
  cause?: unknown;
}

/**
 * Why there is no token. `code` is the service's own, or `unreachable`, `timeout`, `signed_out` or `invalid_answer`.
 */
export class EmbedProblem extends Error {
  readonly kind: EmbedProblemKind;
  readonly code: string;
  readonly status: number | undefined;
  /** Id of the request in the service's log. */
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(message: string, { kind, code, status, requestId, retryAfter, cause }: EmbedProblemDetails) {
    super(message, { cause });
    this.name = 'EmbedProblem';
    this.kind = kind;
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}
