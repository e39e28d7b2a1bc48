import { Logger } from '@nestjs/common';
import {
  BrokenCircuitError,
  circuitBreaker,
  type CircuitBreakerPolicy,
  CircuitState,
  ExponentialBackoff,
  handleWhen,
  isBrokenCircuitError,
  noJitterGenerator,
  SamplingBreaker,
} from 'cockatiel';
import type { Timing } from './timing.js';

const WINDOW_MS = 10_000;
const MIN_CALLS = 20;
const OPEN_MS = 10_000;
const MAX_OPEN_MS = 60_000;
const PROBE_MS = 10_000;

type Probe = (signal: AbortSignal) => Promise<void>;

/**
 * Opens for 10 s when at least half of 20 or more calls within 10 s fail, then lets one call through; the open time
 * doubles up to a minute.
 */
export class Breaker {
  private readonly logger = new Logger(Breaker.name);
  private readonly sampling = new SamplingBreaker({
    // The breaker opens strictly above its threshold; subtracting EPSILON includes exactly half.
    threshold: 0.5 - Number.EPSILON,
    duration: WINDOW_MS,
    minimumRps: MIN_CALLS / (WINDOW_MS / 1000),
  });
  private readonly policy: CircuitBreakerPolicy;

  /** `isFailure` also decides about the one call that is let through: any other error of it closes the breaker. */
  constructor(isFailure: (error: unknown, isTrial: boolean) => boolean) {
    const isCounted = (error: unknown) => isFailure(error, this.policy.state === CircuitState.HalfOpen);
    this.policy = circuitBreaker(handleWhen(isCounted), {
      breaker: this.sampling,
      halfOpenAfter: new ExponentialBackoff({
        initialDelay: OPEN_MS,
        maxDelay: MAX_OPEN_MS,
        exponent: 2,
        generator: noJitterGenerator,
      }),
    });
  }

  /** Also during the one call that is let through. */
  get isOpen(): boolean {
    return this.policy.state !== CircuitState.Closed;
  }

  /** Throws an error that `refused` recognizes while the breaker is open. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    // The policy would let further calls wait for the end of the one that is let through, however long that takes.
    if (this.policy.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
    return this.policy.execute(work);
  }

  /**
   * Probes the upstream while the breaker is open, until `signal` aborts, and closes the breaker on success. The
   * breaker's own delay doubles up to a minute; the probe saves callers that wait once the upstream has recovered.
   */
  probeWith(probe: Probe, timing: Timing, signal: AbortSignal): void {
    let running = false;
    this.policy.onStateChange((state) => {
      if (state !== CircuitState.Open || running) return;
      running = true;
      this.logger.warn('the circuit breaker for Power BI is open: only probe requests are sent');
      this.closeAfter(probe, timing, signal)
        .catch((error: unknown) => this.logger.debug({ msg: 'the probe of Power BI stopped', err: error }))
        .finally(() => (running = false));
    });
  }

  private async closeAfter(probe: Probe, timing: Timing, signal: AbortSignal): Promise<void> {
    const isReached = (): Promise<boolean> =>
      probe(signal).then(
        () => true,
        () => false,
      );
    do {
      await timing.sleep(PROBE_MS, signal);
      if (this.policy.state !== CircuitState.Open) return;
    } while (!(await isReached()));
    this.sampling.success(CircuitState.HalfOpen);
    this.policy.isolate().dispose();
    this.logger.log('the circuit breaker for Power BI is closed');
  }

  static refused(error: unknown): boolean {
    return isBrokenCircuitError(error);
  }
}
