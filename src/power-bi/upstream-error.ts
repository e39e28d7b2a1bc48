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
  /** Set where a further try was granted. */
  again = false;

  constructor(
    readonly failure: UpstreamFailure,
    readonly facts: UpstreamFacts,
    cause?: unknown,
  ) {
    super(
      [facts.upstream, failure, facts.status, facts.upstreamCode]
        .filter((part) => part !== undefined)
        .join(' '),
      { cause },
    );
  }
}
