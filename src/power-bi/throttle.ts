import { Logger } from '@nestjs/common';
import { LessThan, MoreThan, type Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type Clock, MAX_SKEW_SECONDS } from '../core/clock.js';
import { withOwnDeadline } from '../core/http/request-context.js';
import { emit } from '../core/telemetry/telemetry-events.js';
import type { CallMeter } from './power-bi.types.js';
import type { SharedCall, SharedThrottleWindow } from './shared-throttle-window.entity.js';
import type { Timing } from './timing.js';
import { type Upstream, UpstreamError } from './upstream-error.js';

export interface Throttled {
  /** Calls of one scope share one rate limit at Microsoft, and therefore one throttle window. */
  scope: string;
  meter?: CallMeter;
  patient?: boolean;
  signal?: AbortSignal;
}

/** No calls before `until`. */
type ThrottleWindow = Pick<SharedThrottleWindow, 'until' | 'status'>;

/** Replicas share one rate limit at Microsoft, so they share windows and calls. */
interface SharedTables {
  windows: Repository<SharedThrottleWindow>;
  calls: Repository<SharedCall>;
}

/** Interactive callers wait up to this long instead of receiving an error. */
const SHORT_MS = 2000;
/** Jitter, so that calls that waited together do not resume at once. */
const WAKE_SPREAD_MS = 250;
const DEFAULT_RETRY_AFTER_SECONDS = 10;
const MAX_SECONDS = 3600;
/** Maximum delay until a throttle window of another replica is observed. */
const POLL_INTERVAL_MS = 1000;

/**
 * Delays every call of a scope for as long as the upstream requested, and where a limit that Microsoft publishes is
 * exhausted. Without the database each replica uses its own windows: exceeding the rate limit slightly is better than
 * not calling Power BI.
 */
export class Throttle {
  private readonly logger = new Logger(Throttle.name);
  private readonly windows = new Map<string, ThrottleWindow>();
  private readonly recentCalls = new Map<string, Date[]>();
  private readonly refreshedAt = new Map<string, { at: number; done: Promise<void> }>();

  constructor(
    private readonly clock: Clock,
    private readonly timing: Timing,
    private readonly tables?: SharedTables,
  ) {}

  /** Resolves when no throttle window is active. Throws UpstreamError when the caller must not wait that long. */
  async waitForCapacity(upstream: Upstream, { scope, meter, patient, signal }: Throttled): Promise<void> {
    for (;;) {
      const window = await this.find(scope);
      if (window === undefined) return;
      const ms = window.until.getTime() - this.clock.now().getTime();
      if (!patient && ms > SHORT_MS) {
        const facts = { upstream, status: window.status, retryAfter: Math.ceil(ms / 1000) };
        throw new UpstreamError('error_status', facts);
      }
      const from = this.clock.now().getTime();
      await this.timing.sleep(ms + this.timing.random() * WAKE_SPREAD_MS, signal);
      if (meter !== undefined) countWait(meter, from, window.until.getTime());
    }
  }

  /** Opens the throttle window that an error response requested. */
  async applyRetryAfter(scope: string, { facts }: UpstreamError): Promise<void> {
    const { upstream, status = 0, retryAfter } = facts;
    if (status !== 429 && !(status === 503 && retryAfter !== undefined)) return;
    const seconds = Math.min(Math.max(retryAfter ?? DEFAULT_RETRY_AFTER_SECONDS, 1), MAX_SECONDS);
    emit('upstream_paused', { upstream });
    await this.open(scope, { until: this.clock.in(seconds), status });
  }

  /** Whether interactive callers wait for the end of the throttle window. */
  async isShort(scope: string): Promise<boolean> {
    return (await this.secondsLeft(scope)) * 1000 <= SHORT_MS;
  }

  /** Seconds left of the throttle window; 0 without one. */
  async secondsLeft(scope: string): Promise<number> {
    const window = await this.find(scope);
    return window === undefined ? 0 : Math.ceil((window.until.getTime() - this.clock.now().getTime()) / 1000);
  }

  /**
   * Records one call of a scope whose limits Microsoft publishes; must be called after every call. An exhausted limit
   * opens a throttle window, as a 429 does.
   */
  async spend(scope: string, limits: readonly { calls: number; seconds: number }[]): Promise<void> {
    const at = this.clock.now();
    const since = new Date(at.getTime() - Math.max(...limits.map(({ seconds }) => seconds)) * 1000);
    const shared = await this.shareCall({ scope, at, since });
    const made = shared ?? [...(this.recentCalls.get(scope) ?? []), at].filter((call) => call > since);
    this.recentCalls.set(scope, made);
    for (const { calls, seconds } of limits) {
      const oldest = made.at(-calls);
      if (oldest === undefined) continue;
      const until = new Date(oldest.getTime() + seconds * 1000);
      if (until > at) await this.open(scope, { until, status: 429 });
    }
  }

  private async find(scope: string): Promise<ThrottleWindow | undefined> {
    if (this.active(scope) === undefined) await this.refresh(scope);
    return this.active(scope);
  }

  private active(scope: string): ThrottleWindow | undefined {
    const window = this.windows.get(scope);
    if (window === undefined) return undefined;
    if (window.until > this.clock.now() && this.isPossible(window)) return window;
    this.windows.delete(scope);
    return undefined;
  }

  /** A longer window is that of a clock that was ahead, and would stop all calls until that time. */
  private isPossible({ until }: ThrottleWindow): boolean {
    return until <= this.clock.in(MAX_SECONDS + MAX_SKEW_SECONDS);
  }

  /** Never shortens an existing window. */
  private async open(scope: string, window: ThrottleWindow): Promise<void> {
    if (!this.isPossible(window)) return;
    this.keep(scope, window);
    await this.bestEffort(({ windows }) =>
      windows
        .createQueryBuilder('held')
        .insert()
        .values({ scope, ...window })
        .orUpdate(['until', 'status'], ['scope'], {
          overwriteCondition: { where: 'held.until < excluded.until' },
        })
        .execute(),
    );
  }

  private keep(scope: string, window: ThrottleWindow): void {
    const known = this.active(scope);
    if (known === undefined || known.until < window.until) this.windows.set(scope, window);
  }

  private refresh(scope: string): Promise<void> {
    const now = this.clock.now().getTime();
    const last = this.refreshedAt.get(scope);
    if (last !== undefined && Math.abs(now - last.at) < POLL_INTERVAL_MS) return last.done;
    const done = this.readShared(scope);
    this.refreshedAt.set(scope, { at: now, done });
    return done;
  }

  private async readShared(scope: string): Promise<void> {
    const held = await this.bestEffort(({ windows }) => windows.findOneBy({ scope }));
    if (held === undefined || held === null) return;
    if (this.isPossible(held)) this.keep(scope, held);
    else await this.bestEffort(({ windows }) => windows.delete({ scope, until: held.until }));
  }

  /** Returns the times of all calls after `since` by any replica, oldest first. */
  private shareCall({ scope, at, since }: Record<'at' | 'since', Date> & { scope: string }) {
    return this.bestEffort(async ({ calls }) => {
      await calls.insert({ id: uuidv7(), scope, at });
      await calls.delete({ scope, at: LessThan(since) });
      const made = await calls.find({ where: { scope, at: MoreThan(since) }, order: { at: 'ASC' } });
      return made.map((call) => call.at);
    });
  }

  /** Undefined when only this process's windows and calls are known. */
  private async bestEffort<T>(work: (tables: SharedTables) => Promise<T>): Promise<T | undefined> {
    const { tables } = this;
    try {
      return tables && (await withOwnDeadline(() => work(tables)));
    } catch (error) {
      this.logger.debug({ msg: 'throttle windows are not shared', err: error });
      return undefined;
    }
  }
}

/** Adds the part of a wait that no other one of the same meter has covered. */
function countWait(meter: CallMeter, from: number, until: number): void {
  const start = Math.max(from, meter.throttledUntil ?? 0);
  if (until <= start) return;
  meter.throttledSeconds += (until - start) / 1000;
  meter.throttledUntil = until;
}
