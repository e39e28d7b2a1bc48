export type Upstream = 'power_bi' | 'entra';

/** `answered`: with an error status. All the others: no usable answer came. */
export type UpstreamFailure =
  | 'answered'
  | 'unreachable'
  | 'timed_out'
  | 'malformed'
  | 'too_large'
  | 'redirected'
  | 'busy'
  | 'circuit_open';

export interface UpstreamFacts {
  upstream: Upstream;
  method?: string;
  path?: string;
  status?: number;
  /** Microsoft's own code and words, and the id that its support asks for. */
  upstreamCode?: string;
  upstreamMessage?: string;
  upstreamRequestId?: string;
  /** Seconds, from `Retry-After` or from our own breaker. */
  retryAfter?: number;
}

/** What went wrong upstream, for the log and for the translation to problems. Carries no header and no token. */
export class UpstreamError extends Error {
  /** Whether one more try was granted. */
  willRetry = false;

  constructor(
    readonly failure: UpstreamFailure,
    readonly facts: UpstreamFacts,
    cause?: unknown,
  ) {
    const words = [facts.upstream, failure, facts.status, facts.upstreamCode];
    super(words.filter((word) => word !== undefined).join(' '), { cause });
  }
}

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

/** Failures that say something about the health of the upstream: what the breaker counts. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof UpstreamError)) return isTimeout(error);
  const { failure, facts } = error;
  return failure === 'answered'
    ? (facts.status ?? 0) >= 500
    : failure !== 'busy' && failure !== 'circuit_open';
}

/** How a try ended, in few words. What is no UpstreamError was taken back by the caller. */
export function outcomeOf(error: unknown): string {
  if (!(error instanceof UpstreamError)) return isTimeout(error) ? 'timed_out' : 'taken_back';
  const { failure, facts } = error;
  if (failure !== 'answered') return failure;
  if (facts.status === 429) return 'throttled';
  return (facts.status ?? 0) >= 500 ? 'server_error' : 'refused';
}

/** Failures that a further try a moment later may not meet again. */
export function isRetryable({ failure, facts: { status = 0, retryAfter } }: UpstreamError): boolean {
  if (failure === 'unreachable' || failure === 'timed_out') return true;
  return failure === 'answered' && retryAfter === undefined && (status === 408 || status >= 500);
}
