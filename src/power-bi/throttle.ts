import type { Clock } from '../core/clock.js';
import { emit } from '../core/telemetry/telemetry-events.js';
import type { ThrottleWindows } from './throttle-windows.js';
import type { CallMeter } from './power-bi.types.js';
import type { Timing } from './timing.js';
import { type Upstream, UpstreamError } from './upstream-error.js';

export interface Throttled {
  /** What shares one budget at Microsoft, and so one pause. */
  scope: string;
  meter?: CallMeter;
  patient?: boolean;
  signal?: AbortSignal;
}

/** A person waits this long rather than being told to come back. */
const SHORT_MS = 2000;
/** Those that waited together do not come back at the same moment. */
const WAKE_SPREAD_MS = 250;
const DEFAULT_RETRY_AFTER_SECONDS = 10;
const MAX_SECONDS = 3600;

/** Holds back every call of a scope for as long as the upstream asked for. */
export class Throttle {
  constructor(
    private readonly upstream: Upstream,
    private readonly clock: Clock,
    private readonly timing: Timing,
    private readonly pauses: ThrottleWindows,
  ) {}

  /** Comes back when no pause holds. Throws UpstreamError where the caller is not to wait that long. */
  async waitForCapacity({ scope, meter, patient, signal }: Throttled): Promise<void> {
    for (;;) {
      const pause = await this.pauses.find(scope);
      if (pause === undefined) return;
      const ms = pause.until.getTime() - this.clock.now().getTime();
      if (!patient && ms > SHORT_MS) {
        const facts = { upstream: this.upstream, status: pause.status, retryAfter: Math.ceil(ms / 1000) };
        throw new UpstreamError('answered', facts);
      }
      await this.timing.sleep(ms + this.timing.random() * WAKE_SPREAD_MS, signal);
      if (meter !== undefined) meter.throttledSeconds += ms / 1000;
    }
  }

  /** Starts the pause that an answer asked for. */
  async applyRetryAfter(scope: string, { facts: { status = 0, retryAfter } }: UpstreamError): Promise<void> {
    if (status !== 429 && !(status === 503 && retryAfter !== undefined)) return;
    const seconds = Math.min(Math.max(retryAfter ?? DEFAULT_RETRY_AFTER_SECONDS, 1), MAX_SECONDS);
    emit('upstream_paused', { upstream: this.upstream });
    await this.pauses.set(scope, { until: this.clock.in(seconds), status });
  }

  /** Seconds that are left of the pause; 0 without one. */
  async secondsLeft(scope: string): Promise<number> {
    const pause = await this.pauses.find(scope);
    return pause === undefined ? 0 : Math.ceil((pause.until.getTime() - this.clock.now().getTime()) / 1000);
  }
}
