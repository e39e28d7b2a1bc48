import {
  circuitBreaker,
  CircuitState,
  ExponentialBackoff,
  handleWhen,
  isBrokenCircuitError,
  noJitterGenerator,
  SamplingBreaker,
} from 'cockatiel';

const WINDOW_MS = 10_000;
const MIN_CALLS = 20;
const OPEN_MS = 10_000;
const MAX_OPEN_MS = 60_000;

/**
 * Opens for 10 s when at least half of 20 or more calls within 10 s fail, then lets one call through; the open time
 * doubles up to a minute.
 */
export class Breaker {
  private readonly sampling = new SamplingBreaker({
    // The breaker opens strictly above its threshold; subtracting EPSILON includes exactly half.
    threshold: 0.5 - Number.EPSILON,
    duration: WINDOW_MS,
    minimumRps: MIN_CALLS / (WINDOW_MS / 1000),
  });
  private readonly policy;

  constructor(isFailure: (error: unknown) => boolean) {
    this.policy = circuitBreaker(handleWhen(isFailure), {
      breaker: this.sampling,
      halfOpenAfter: new ExponentialBackoff({
        initialDelay: OPEN_MS,
        maxDelay: MAX_OPEN_MS,
        exponent: 2,
        generator: noJitterGenerator,
      }),
    });
  }

  get isOpen(): boolean {
    return this.policy.state === CircuitState.Open;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.policy.execute(work);
  }

  onOpen(listener: () => void): void {
    this.policy.onStateChange((state) => {
      if (state === CircuitState.Open) listener();
    });
  }

  /** Closes the breaker and resets its failure counts, after a successful probe. */
  close(): void {
    this.sampling.success(CircuitState.HalfOpen);
    this.policy.isolate().dispose();
  }

  static refused(error: unknown): boolean {
    return isBrokenCircuitError(error);
  }
}
