import type { Environment } from './environment.js';
import { EmbedProblem } from './problem.js';
import { withTimeout } from './request-timeout.js';
import { isTemporary, retryAfterOf } from './response.js';
import type { ServiceClient } from './service-client.js';

/** An event as `POST /api/usage/events` accepts it. The service counts (`view_id`, `seq`) once, so resending is safe. */
export interface UsageEvent {
  view_id: string;
  token_id: string;
  seq: number;
  kind: 'opened' | 'loaded' | 'rendered' | 'page' | 'error' | 'closed';
  at_ms: number;
  page?: string;
  page_name?: string;
  ms?: number;
  code?: string;
}

/** The limit of the service. An event has less than 1 kB, so a batch stays below the 64 kB of keepalive requests. */
const MAX_BATCH = 50;
const MAX_WAITING = 500;
/** Collects the events of an opening, and leaves the connection to the report. */
const DELAY_MS = 5000;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;

/** Sends usage events in batches. Never throws: usage must not disturb the page. */
export class UsageQueue {
  private waiting: UsageEvent[] = [];
  private cancelTimer: (() => void) | undefined;
  private flights = 0;
  private failures = 0;
  /** When the service accepts requests again (`Retry-After`). */
  private notBefore = -Infinity;
  private isOff = false;

  constructor(
    private readonly environment: Environment,
    private readonly client: ServiceClient,
  ) {}

  add(event: UsageEvent): void {
    if (this.isOff) return;
    // The time that counts is limited by the age of the token: that of another token is kept.
    const isReplaced = ({ kind, view_id, token_id }: UsageEvent): boolean =>
      kind === 'closed' &&
      event.kind === 'closed' &&
      view_id === event.view_id &&
      token_id === event.token_id;
    this.put([...this.waiting.filter((each) => !isReplaced(each)), event]);
    this.schedule(DELAY_MS);
  }

  /** Sends now. `isLast`: the page may not run again. */
  flush(isLast = false): void {
    if (this.waiting.length === 0) return;
    const pause = this.notBefore - this.environment.monotonic();
    if (pause > 0) {
      this.schedule(pause);
      return;
    }
    this.cancel();
    void this.send(this.waiting.splice(0, MAX_BATCH), isLast);
  }

  private async send(events: UsageEvent[], reusesBearer: boolean): Promise<void> {
    this.flights += 1;
    try {
      const response = await withTimeout(this.environment, new AbortController(), (signal) =>
        this.client.post('/api/usage/events', { events }, { signal, keepalive: true, reusesBearer }),
      );
      this.settle(events, response);
    } catch (error) {
      if (!(error instanceof EmbedProblem && error.kind === 'signed_out')) this.retry(events, 0);
    }
    this.flights -= 1;
    if (this.waiting.length > 0) this.schedule(FIRST_RETRY_MS);
  }

  /** Whatever else the service rejects, it would reject again. */
  private settle(events: readonly UsageEvent[], { status, headers }: Response): void {
    if (isTemporary(status)) {
      this.retry(events, retryAfterOf(headers) ?? 0);
      return;
    }
    this.failures = 0;
    // A backend between page and service that does not forward usage.
    this.isOff = status === 404 || status === 405;
    if (this.isOff) this.waiting = [];
  }

  private retry(events: readonly UsageEvent[], retryAfter: number): void {
    const { environment } = this;
    const pause = Math.min(FIRST_RETRY_MS * 2 ** this.failures, LAST_RETRY_MS);
    this.failures += 1;
    this.notBefore = Math.max(this.notBefore, environment.monotonic() + retryAfter * 1000);
    this.put([...events, ...this.waiting]);
    this.cancel();
    // Jitter, so that clients do not retry at once.
    this.schedule(Math.max(retryAfter * 1000, pause / 2) + (environment.random() * pause) / 2);
  }

  /** Without a connection, the oldest events are dropped. */
  private put(events: UsageEvent[]): void {
    this.waiting = events.slice(-MAX_WAITING);
  }

  private schedule(ms: number): void {
    this.cancelTimer ??= this.environment.after(ms, () => {
      this.cancelTimer = undefined;
      if (this.flights === 0) this.flush();
    });
  }

  private cancel(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
  }
}
