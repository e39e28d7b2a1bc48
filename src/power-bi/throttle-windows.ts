import type { Clock } from '../core/clock.js';

/** Power BI responded with a 429 or 503: no calls before `until`. */
export interface ThrottleWindow {
  until: Date;
  status: number;
}

/** Asynchronous because replicas share one rate limit at Microsoft: a shared store can replace the in-process one. */
export interface ThrottleWindows {
  /** The active throttle window; undefined without one. */
  find(scope: string): Promise<ThrottleWindow | undefined>;
  /** Never shortens an existing window. */
  set(scope: string, window: ThrottleWindow): Promise<void>;
  /**
   * Records a call. Returns the times of all calls after `since`, oldest first; undefined when only this process's
   * calls are known.
   */
  spend(scope: string, at: Date, since: Date): Promise<Date[] | undefined>;
}

export class ProcessThrottleWindows implements ThrottleWindows {
  private readonly throttleWindows = new Map<string, ThrottleWindow>();

  constructor(private readonly clock: Clock) {}

  async find(scope: string): Promise<ThrottleWindow | undefined> {
    const window = this.throttleWindows.get(scope);
    return window !== undefined && window.until > this.clock.now() ? window : undefined;
  }

  async spend(): Promise<undefined> {
    return undefined;
  }

  async set(scope: string, window: ThrottleWindow): Promise<void> {
    const known = this.throttleWindows.get(scope);
    if (known === undefined || known.until < window.until) this.throttleWindows.set(scope, window);
  }
}
