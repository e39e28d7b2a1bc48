import { Logger } from '@nestjs/common';
import { DelegateBackoff, handleWhen, retry } from 'cockatiel';
import type { Clock } from '../core/clock.js';
import { emit } from '../core/telemetry/telemetry-events.js';
import { MalformedResponse } from './response-parsers.js';
import { Breaker } from './breaker.js';
import type { UpstreamLimits } from './limits.js';
import type { ThrottleWindows } from './throttle-windows.js';
import { RetryBudget } from './retry-budget.js';
import { Busy, Bulkhead } from '../core/async/bulkhead.js';
import { Throttle, type Throttled } from './throttle.js';
import type { Timing } from './timing.js';
import type { Operation } from './translate.js';
import { isOutage, isRetryable, outcomeOf, type Upstream, UpstreamError } from './upstream-error.js';
import { type UpstreamResponse, UpstreamHttp, type UpstreamRequest } from './upstream-http.js';

type UpstreamCall = UpstreamRequest &
  Throttled & {
    /** Operation label in the metrics. */
    operation: Operation | 'signing_in';
  };

export interface UpstreamParts {
  clock: Clock;
  timing: Timing;
  throttleWindows: ThrottleWindows;
  limits: UpstreamLimits;
}

const RETRIES = 2;
const FIRST_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 2000;

/**
 * Calls one upstream: with limited concurrency, a circuit breaker, few retries within a budget, and no calls during a
 * throttle window. Every call is safe to repeat: reads and token requests.
 */
export class UpstreamCalls {
  readonly breaker = new Breaker(isOutage);
  readonly throttle: Throttle;
  /** Time of the last successful response. */
  lastSuccess?: Date;
  private readonly logger = new Logger(UpstreamCalls.name);
  private readonly http: UpstreamHttp;
  private readonly budget = new RetryBudget();
  private readonly slots: Bulkhead;
  private readonly retry = retry(
    handleWhen((error) => error instanceof UpstreamError && error.willRetry),
    { maxAttempts: RETRIES, backoff: new DelegateBackoff(({ attempt }) => this.backoff(attempt)) },
  );

  constructor(
    readonly upstream: Upstream,
    private readonly parts: UpstreamParts,
  ) {
    const { clock, timing, throttleWindows, limits } = parts;
    this.http = new UpstreamHttp(upstream, clock, limits);
    this.slots = new Bulkhead(limits.concurrent, limits.queued);
    this.throttle = new Throttle(upstream, clock, timing, throttleWindows);
  }

  get running(): number {
    return this.slots.running;
  }

  /** Returns the parsed response. Throws UpstreamError, or the reason of `signal`. */
  async send<T>(call: UpstreamCall, parse: (response: UpstreamResponse) => T): Promise<T> {
    for (let waited = false; ; waited = true) {
      await this.throttle.waitForCapacity(call);
      try {
        return await this.tries(call, parse);
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        await this.throttle.applyRetryAfter(call.scope, error);
        const mayRetry = call.patient === true || (!waited && this.budget.spend());
        if (error.facts.status !== 429 || !mayRetry) throw error;
      }
    }
  }

  /** One attempt that bypasses breaker, concurrency limit and throttle window. */
  async probe(call: UpstreamRequest): Promise<void> {
    await this.http.send(call);
    this.lastSuccess = this.parts.clock.now();
  }

  async close(): Promise<void> {
    await this.http.close();
  }

  private async tries<T>(call: UpstreamCall, parse: (response: UpstreamResponse) => T): Promise<T> {
    const whole = AbortSignal.timeout(call.totalMs ?? this.parts.limits.totalMs);
    const signal = call.signal === undefined ? whole : AbortSignal.any([call.signal, whole]);
    try {
      return await this.retry.execute(
        ({ attempt }) => this.attempt({ ...call, signal }, parse, attempt),
        signal,
      );
    } catch (error) {
      call.signal?.throwIfAborted();
      if (error instanceof UpstreamError || !whole.aborted) throw error;
      throw new UpstreamError('timed_out', this.http.facts(call), error);
    }
  }

  private async attempt<T>(
    call: UpstreamCall & { signal: AbortSignal },
    parse: (response: UpstreamResponse) => T,
    attempt: number,
  ): Promise<T> {
    const { queueMs, totalMs } = this.parts.limits;
    const work = () => this.breaker.run(() => this.once(call, parse));
    const startedAt = performance.now();
    try {
      const result = await this.slots.run(work, call.patient === true ? totalMs : queueMs, call.signal);
      this.emitCall(call, 'ok', startedAt);
      return result;
    } catch (error) {
      const classified = this.classify(error, call, attempt);
      this.emitCall(call, outcomeOf(classified), startedAt);
      throw classified;
    }
  }

  private async once<T>(call: UpstreamCall, parse: (response: UpstreamResponse) => T): Promise<T> {
    if (call.meter !== undefined) call.meter.calls += 1;
    const response = await this.http.send(call);
    try {
      const parsed = parse(response);
      this.lastSuccess = this.parts.clock.now();
      this.budget.earn();
      return parsed;
    } catch (error) {
      if (!(error instanceof MalformedResponse)) throw error;
      throw new UpstreamError('malformed', this.http.facts(call), error);
    }
  }

  private classify(error: unknown, call: UpstreamCall, attempt: number): unknown {
    const facts = this.http.facts(call);
    if (error instanceof Busy) return new UpstreamError('busy', { ...facts, retryAfter: 1 }, error);
    if (Breaker.refused(error)) return new UpstreamError('circuit_open', { ...facts, retryAfter: 10 }, error);
    if (!(error instanceof UpstreamError)) return error;
    error.willRetry = isRetryable(error) && attempt < RETRIES && this.budget.spend();
    if (error.willRetry) emit('upstream_retried', { upstream: this.upstream });
    this.logger.debug({ msg: error.message, attempt, again: error.willRetry, ...error.facts });
    return error;
  }

  private emitCall({ operation }: UpstreamCall, outcome: string, startedAt: number): void {
    const seconds = (performance.now() - startedAt) / 1000;
    emit('upstream_called', { upstream: this.upstream, operation: operation, outcome, seconds });
  }

  /** Full jitter: a random delay between zero and the exponential bound. */
  private backoff(attempt: number): number {
    return this.parts.timing.random() * Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS);
  }
}
