import { Logger } from '@nestjs/common';
import { DelegateBackoff, handleWhen, retry } from 'cockatiel';
import type { Clock } from '../core/clock.js';
import { emit } from '../core/telemetry/telemetry-events.js';
import { MalformedResponse } from './response-parsers.js';
import { Breaker } from './breaker.js';
import type { UpstreamLimits } from './limits.js';
import { Busy, Bulkhead } from '../core/async/bulkhead.js';
import type { Throttle, Throttled } from './throttle.js';
import type { Timing } from './timing.js';
import type { Operation } from './translate.js';
import {
  isOutage,
  isRetryable,
  isTooSlow,
  mayHaveArrived,
  outcomeOf,
  type Upstream,
  UpstreamError,
  type UpstreamFacts,
} from './upstream-error.js';
import { type UpstreamResponse, UpstreamHttp, type UpstreamRequest } from './upstream-http.js';

type UpstreamCall = UpstreamRequest &
  Throttled & {
    /** Operation label in the metrics. */
    operation: Operation | 'signing_in';
    /** Headers with a valid token, requested after each throttle window: a window may outlast a token. */
    authorize?: () => Promise<Record<string, string>>;
    /** Not safe to repeat: the call is not retried after a failure that it may have arrived before. */
    isOnce?: boolean;
    /** The caller can request less: a call that takes too long is not retried unchanged. */
    isDivisible?: boolean;
  };

export interface UpstreamParts {
  clock: Clock;
  timing: Timing;
  throttle: Throttle;
  limits: UpstreamLimits;
}

const RETRIES = 2;
const FIRST_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 2000;
/**
 * Retries may add a tenth to the calls, plus this reserve. Only successful calls replenish the budget, so during an
 * outage of any length no more than the reserve is spent.
 */
const RETRY_RESERVE = 10;
const RETRY_SHARE = 0.1;

/** Limits the time of the work. Throws UpstreamError when it is over, and the reason of `signal` if that aborts. */
export async function within<T>(
  { ms, facts, signal }: { ms: number; facts: UpstreamFacts; signal?: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const whole = AbortSignal.timeout(ms);
  try {
    return await work(signal === undefined ? whole : AbortSignal.any([signal, whole]));
  } catch (error) {
    signal?.throwIfAborted();
    throw whole.aborted && error === whole.reason ? new UpstreamError('timed_out', facts, error) : error;
  }
}

/**
 * Calls one upstream: with limited concurrency, a circuit breaker, few retries within a budget, and no calls during a
 * throttle window. Every call but those with `isOnce` is safe to repeat: reads and token requests.
 */
export class UpstreamCalls {
  /** Of a canceled call nothing is known, so that it cannot end an outage. */
  readonly breaker = new Breaker(
    (error, isTrial) => isOutage(error) || (isTrial && outcomeOf(error) === 'cancelled'),
  );
  readonly throttle: Throttle;
  /** Time of the last successful response. */
  lastSuccess?: Date;
  private readonly logger = new Logger(UpstreamCalls.name);
  private readonly http: UpstreamHttp;
  private retryBudget = RETRY_RESERVE;
  private readonly slots: Bulkhead;
  private readonly retry = retry(
    handleWhen((error) => error instanceof UpstreamError && error.willRetry),
    { maxAttempts: RETRIES, backoff: new DelegateBackoff(({ attempt }) => this.backoff(attempt)) },
  );

  constructor(
    readonly upstream: Upstream,
    private readonly parts: UpstreamParts,
  ) {
    const { clock, throttle, limits } = parts;
    this.throttle = throttle;
    this.http = new UpstreamHttp(upstream, clock, limits);
    this.slots = new Bulkhead(limits.concurrent, limits.queued);
  }

  get running(): number {
    return this.slots.running;
  }

  /** Returns the parsed response. Throws UpstreamError, or the reason of `signal`. */
  async send<T>(call: UpstreamCall, parse: (response: UpstreamResponse) => T): Promise<T> {
    for (let waited = false; ; waited = true) {
      await this.throttle.waitForCapacity(this.upstream, call);
      const headers = { ...call.headers, ...(await call.authorize?.()) };
      try {
        return await this.tries({ ...call, headers }, parse);
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        await this.throttle.applyRetryAfter(call.scope, error);
        if (error.facts.status !== 429) throw error;
        const mayRetry =
          call.patient === true ||
          (!waited && (await this.throttle.isShort(call.scope)) && this.spendRetry());
        if (!mayRetry) throw error;
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

  private tries<T>(call: UpstreamCall, parse: (response: UpstreamResponse) => T): Promise<T> {
    const limit = { ms: call.totalMs ?? this.parts.limits.totalMs, facts: this.http.facts(call) };
    return within({ ...limit, signal: call.signal }, (signal) =>
      this.retry.execute(({ attempt }) => this.attempt({ ...call, signal }, parse, attempt), signal),
    );
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
      this.retryBudget = Math.min(RETRY_RESERVE, this.retryBudget + RETRY_SHARE);
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
    const isFinal =
      (call.isOnce === true && mayHaveArrived(error)) || (call.isDivisible === true && isTooSlow(error));
    error.willRetry = isRetryable(error) && !isFinal && attempt < RETRIES && this.spendRetry();
    if (error.willRetry) emit('upstream_retried', { upstream: this.upstream });
    this.logger.debug({ msg: error.message, attempt, again: error.willRetry, ...error.facts });
    return error;
  }

  private emitCall({ operation }: UpstreamCall, outcome: string, startedAt: number): void {
    const seconds = (performance.now() - startedAt) / 1000;
    emit('upstream_called', { upstream: this.upstream, operation: operation, outcome, seconds });
  }

  private spendRetry(): boolean {
    if (this.retryBudget < 1) return false;
    this.retryBudget -= 1;
    return true;
  }

  /** Full jitter: a random delay between zero and the exponential bound. */
  private backoff(attempt: number): number {
    return this.parts.timing.random() * Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS);
  }
}
