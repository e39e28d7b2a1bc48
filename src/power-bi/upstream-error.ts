export type Upstream = 'power_bi' | 'entra';

/** `error_status`: the upstream returned an error status. All others: there was no usable response. */
type UpstreamFailure =
  | 'error_status'
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
  /** Microsoft's own code and message, and the id that its support requests. */
  upstreamCode?: string;
  upstreamMessage?: string;
  upstreamRequestId?: string;
  /** Seconds, from `Retry-After` or from the circuit breaker. */
  retryAfter?: number;
}

/** An upstream failure, for the log and for translation to a Problem. Contains no headers and no tokens. */
export class UpstreamError extends Error {
  /** Whether a retry was granted. */
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

/** The upstream failure that a Problem translates. */
export function upstreamCause(error: unknown): UpstreamError | undefined {
  const { cause } = error instanceof Error ? error : new Error();
  return cause instanceof UpstreamError ? cause : undefined;
}

/** Statuses that are no answer to the request: the upstream failed or gave up. */
export const isFailureStatus = (status = 0): boolean => status === 408 || status >= 500;

export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

/** Failures that indicate an unhealthy upstream: these count for the circuit breaker. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof UpstreamError)) return isTimeout(error);
  const { failure, facts } = error;
  return failure === 'error_status'
    ? isFailureStatus(facts.status)
    : failure !== 'busy' && failure !== 'circuit_open';
}

/**
 * Outcome label in the metrics. Any error but an UpstreamError or a timeout means that the caller cancelled the call.
 */
export function outcomeOf(error: unknown): string {
  if (!(error instanceof UpstreamError)) return isTimeout(error) ? 'timed_out' : 'cancelled';
  const { failure, facts } = error;
  if (failure !== 'error_status') return failure;
  if (facts.status === 429) return 'throttled';
  return isFailureStatus(facts.status) ? 'server_error' : 'refused';
}

const notSent = /^(UND_ERR_CONNECT_TIMEOUT|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

/** Whether the upstream may have done what the call asked for, although there is no usable response. */
export function mayHaveArrived({ failure, cause }: UpstreamError): boolean {
  if (failure !== 'timed_out' && failure !== 'unreachable' && failure !== 'malformed') return false;
  return !notSent.test((cause as { code?: string } | undefined)?.code ?? '');
}

/** The upstream did not respond in time to a request that reached it, or gave up itself. */
export function isTooSlow(error: UpstreamError): boolean {
  const { status } = error.facts;
  return (error.failure === 'timed_out' && mayHaveArrived(error)) || status === 408 || status === 504;
}

/** Transient failures, which a retry may avoid. */
export function isRetryable({ failure, facts: { status, retryAfter } }: UpstreamError): boolean {
  if (failure === 'unreachable' || failure === 'timed_out') return true;
  return failure === 'error_status' && retryAfter === undefined && isFailureStatus(status);
}
