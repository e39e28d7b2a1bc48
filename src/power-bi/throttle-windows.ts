import type { Clock } from '../core/clock.js';

/** Power BI asked not to be asked before `until`, by a 429 or a 503. */
export interface ThrottleWindow {
  until: Date;
  status: number;
}

/** Asynchronous because replicas share one budget at Microsoft: a shared store can take the place of the process's own. */
export interface ThrottleWindows {
  /** The pause that holds now. */
  find(scope: string): Promise<ThrottleWindow | undefined>;
  /** Never shortens a pause that is already longer. */
  set(scope: string, pause: ThrottleWindow): Promise<void>;
  /** Notes a call. Answers when all calls since then were made, oldest first, if that is known beyond this process. */
  spend(scope: string, at: Date, since: Date): Promise<Date[] | undefined>;
}

export class ProcessThrottleWindows implements ThrottleWindows {
  private readonly pauses = new Map<string, ThrottleWindow>();

  constructor(private readonly clock: Clock) {}

  async find(scope: string): Promise<ThrottleWindow | undefined> {
    const pause = this.pauses.get(scope);
    return pause !== undefined && pause.until > this.clock.now() ? pause : undefined;
  }

  async spend(): Promise<undefined> {
    return undefined;
  }

  async set(scope: string, pause: ThrottleWindow): Promise<void> {
    const known = this.pauses.get(scope);
    if (known === undefined || known.until < pause.until) this.pauses.set(scope, pause);
  }
}
