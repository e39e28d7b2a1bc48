import type { Clock } from '../core/clock.js';
import { emit } from '../core/telemetry/telemetry-events.js';
import type { ThrottleWindows } from './throttle-windows.js';
import type { CallMeter } from './power-bi.types.js';
import type { Timing } from './timing.js';
import { type Upstream, UpstreamError } from './upstream-error.js';

export interface Throttled {
  /** Calls of one scope share one rate limit at Microsoft, and therefore one throttle window. */
  scope: string;
  meter?: CallMeter;
  patient?: boolean;
  signal?: AbortSignal;
}

/** Interactive callers wait up to this long instead of receiving an error. */
const SHORT_MS = 2000;
/** Jitter, so that calls that waited together do not resume at once. */
const WAKE_SPREAD_MS = 250;
const DEFAULT_RETRY_AFTER_SECONDS = 10;
const MAX_SECONDS = 3600;

/** Delays every call of a scope for as long as the upstream requested. */
export class Throttle {
  constructor(
    private readonly upstream: Upstream,
    private readonly clock: Clock,
    private readonly timing: Timing,
    private readonly throttleWindows: ThrottleWindows,
  ) {}

  /** Resolves when no throttle window is active. Throws UpstreamError when the caller must not wait that long. */
  async waitForCapacity({ scope, meter, patient, signal }: Throttled): Promise<void> {
    for (;;) {
      const window = await this.throttleWindows.find(scope);
      if (window === undefined) return;
      const ms = window.until.getTime() - this.clock.now().getTime();
      if (!patient && ms > SHORT_MS) {
        const facts = { upstream: this.upstream, status: window.status, retryAfter: Math.ceil(ms / 1000) };
        throw new UpstreamError('error_status', facts);
      }
      await this.timing.sleep(ms + this.timing.random() * WAKE_SPREAD_MS, signal);
      if (meter !== undefined) meter.throttledSeconds += ms / 1000;
    }
  }

  /** Opens the throttle window that an error response requested. */
  async applyRetryAfter(scope: string, { facts: { status = 0, retryAfter } }: UpstreamError): Promise<void> {
    if (status !== 429 && !(status === 503 && retryAfter !== undefined)) return;
    const seconds = Math.min(Math.max(retryAfter ?? DEFAULT_RETRY_AFTER_SECONDS, 1), MAX_SECONDS);
    emit('upstream_paused', { upstream: this.upstream });
    await this.throttleWindows.set(scope, { until: this.clock.in(seconds), status });
  }

  /** Seconds left of the throttle window; 0 without one. */
  async secondsLeft(scope: string): Promise<number> {
    const window = await this.throttleWindows.find(scope);
    return window === undefined ? 0 : Math.ceil((window.until.getTime() - this.clock.now().getTime()) / 1000);
  }
}
