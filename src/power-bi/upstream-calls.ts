import { Logger } from '@nestjs/common';
import { DelegateBackoff, handleWhen, retry } from 'cockatiel';
import type { Clock } from '../core/clock.js';
import { happened } from '../core/telemetry/telemetry-events.js';
import { MalformedAnswer } from './response-parsers.js';
import { Breaker } from './breaker.js';
import type { UpstreamLimits } from './limits.js';
import type { Pauses } from './throttle-windows.js';
import { RetryBudget } from './retry-budget.js';
import { Busy, Slots } from '../core/async/bulkhead.js';
import { Throttle, type Throttled } from './throttle.js';
import type { Timing } from './timing.js';
import type { Doing } from './translate.js';
import { isOutage, isRetryable, outcomeOf, type Upstream, UpstreamError } from './upstream-error.js';
import { type UpstreamAnswer, UpstreamHttp, type UpstreamRequest } from './upstream-http.js';

export type UpstreamCall = UpstreamRequest &
  Throttled & {
    /** What it is for, in a word that the metrics have. */
    doing: Doing | 'signing_in';
  };

export interface UpstreamParts {
  clock: Clock;
  timing: Timing;
  pauses: Pauses;
  limits: UpstreamLimits;
}

const RETRIES = 2;
const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 2000;

/**
 * Calls to one upstream: in bounded slots, through a breaker, with few retries within a budget, and none at all while
 * the upstream asked to wait. Every call that we make is safe to repeat: reads, and the issue of tokens.
 */
export class UpstreamCalls {
  readonly breaker = new Breaker(isOutage);
  readonly throttle: Throttle;
  /** When the upstream last answered properly. */
  lastSuccess?: Date;
  private readonly logger = new Logger(UpstreamCalls.name);
  private readonly http: UpstreamHttp;
  private readonly budget = new RetryBudget();
  private readonly slots: Slots;
  private readonly retry = retry(
    handleWhen((error) => error instanceof UpstreamError && error.again),
    { maxAttempts: RETRIES, backoff: new DelegateBackoff(({ attempt }) => this.backoff(attempt)) },
  );

  constructor(
    readonly upstream: Upstream,
    private readonly parts: UpstreamParts,
  ) {
    const { clock, timing, pauses, limits } = parts;
    this.http = new UpstreamHttp(upstream, clock, limits);
    this.slots = new Slots(limits.concurrent, limits.queued);
    this.throttle = new Throttle(upstream, clock, timing, pauses);
  }

  get running(): number {
    return this.slots.running;
  }

  /** The parsed answer. Throws UpstreamError, or the reason of `signal`. */
  async send<T>(call: UpstreamCall, parse: (answer: UpstreamAnswer) => T): Promise<T> {
    for (let waited = false; ; waited = true) {
      await this.throttle.pass(call);
      try {
        return await this.tries(call, parse);
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        await this.throttle.heed(call.scope, error);
        const again = call.patient === true || (!waited && this.budget.spend());
        if (error.facts.status !== 429 || !again) throw error;
      }
    }
  }

  /** One try past the breaker, the slots and any pause. */
  async probe(call: UpstreamRequest): Promise<void> {
    await this.http.send(call);
    this.lastSuccess = this.parts.clock.now();
  }

  async close(): Promise<void> {
    await this.http.close();
  }

  private async tries<T>(call: UpstreamCall, parse: (answer: UpstreamAnswer) => T): Promise<T> {
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
    parse: (answer: UpstreamAnswer) => T,
    attempt: number,
  ): Promise<T> {
    const { queueMs, totalMs } = this.parts.limits;
    const work = () => this.breaker.run(() => this.once(call, parse));
    const began = performance.now();
    try {
      const result = await this.slots.run(work, call.patient === true ? totalMs : queueMs, call.signal);
      this.tell(call, 'ok', began);
      return result;
    } catch (error) {
      const judged = this.judged(error, call, attempt);
      this.tell(call, outcomeOf(judged), began);
      throw judged;
    }
  }

  private async once<T>(call: UpstreamCall, parse: (answer: UpstreamAnswer) => T): Promise<T> {
    if (call.meter !== undefined) call.meter.calls += 1;
    const answer = await this.http.send(call);
    try {
      const parsed = parse(answer);
      this.lastSuccess = this.parts.clock.now();
      this.budget.earn();
      return parsed;
    } catch (error) {
      if (!(error instanceof MalformedAnswer)) throw error;
      throw new UpstreamError('malformed', this.http.facts(call), error);
    }
  }

  private judged(error: unknown, call: UpstreamCall, attempt: number): unknown {
    const facts = this.http.facts(call);
    if (error instanceof Busy) return new UpstreamError('busy', { ...facts, retryAfter: 1 }, error);
    if (Breaker.refused(error)) return new UpstreamError('circuit_open', { ...facts, retryAfter: 10 }, error);
    if (!(error instanceof UpstreamError)) return error;
    error.again = isRetryable(error) && attempt < RETRIES && this.budget.spend();
    if (error.again) happened('upstream_retried', { upstream: this.upstream });
    this.logger.debug({ msg: error.message, attempt, again: error.again, ...error.facts });
    return error;
  }

  private tell({ doing }: UpstreamCall, outcome: string, began: number): void {
    const seconds = (performance.now() - began) / 1000;
    happened('upstream_called', { upstream: this.upstream, operation: doing, outcome, seconds });
  }

  /** Full jitter: anything from nothing to the exponential bound. */
  private backoff(attempt: number): number {
    return this.parts.timing.random() * Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), LONGEST_BACKOFF_MS);
  }
}
