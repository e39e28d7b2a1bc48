/**
 * - `revoked`: the person may not see the report, or no longer; or it is gone.
 * - `signed_out`: the service does not take the access token.
 * - `unavailable`: for now; it is tried again.
 * - `failed`: neither will help.
 */
export type EmbedProblemKind = 'revoked' | 'signed_out' | 'unavailable' | 'failed';

interface EmbedProblemDetails {
  kind: EmbedProblemKind;
  code: string;
  status?: number;
  requestId?: string;
  /** Seconds. */
  retryAfter?: number;
  cause?: unknown;
}

/** Why there is no token. `code` is the service's own, or `unreachable`, `timeout`, `signed_out`, `invalid_answer`. */
export class EmbedProblem extends Error {
  readonly kind: EmbedProblemKind;
  readonly code: string;
  readonly status: number | undefined;
  /** Of the service's log. */
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
