import type { Clock } from '../core/clock.js';
import type { ThrottleWindows } from './throttle-windows.js';

interface BudgetWindow {
  calls: number;
  seconds: number;
}

/**
 * Enforces limits that Microsoft publishes on the client side: an exhausted budget opens a throttle window, as a 429
 * does.
 */
export class CallBudget {
  private recentCalls: number[] = [];

  constructor(
    private readonly scope: string,
    private readonly windows: readonly BudgetWindow[],
    private readonly clock: Clock,
    private readonly throttleWindows: ThrottleWindows,
  ) {}

  /** Records one call. Must be called after every call. */
  async spend(): Promise<void> {
    const at = this.clock.now();
    const now = at.getTime();
    const since = now - Math.max(...this.windows.map(({ seconds }) => seconds)) * 1000;
    const shared = await this.throttleWindows.spend(this.scope, at, new Date(since));
    this.recentCalls =
      shared?.map((call) => call.getTime()) ?? [...this.recentCalls, now].filter((call) => call > since);
    for (const { calls, seconds } of this.windows) {
      const oldest = this.recentCalls.at(-calls);
      if (oldest !== undefined && oldest + seconds * 1000 > now) {
        await this.throttleWindows.set(this.scope, { until: new Date(oldest + seconds * 1000), status: 429 });
      }
    }
  }
}
