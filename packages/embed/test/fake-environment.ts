import type { Environment } from '../src/environment.js';

interface Timer {
  at: number;
  action: () => void;
}

/** What waits for nothing but promises has happened after this. */
export const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));

/** A browser whose time passes when it is told to. */
export class FakeWorld implements Environment {
  readonly timers = new Set<Timer>();
  readonly wakeUps = new Set<() => void>();
  chance = 0;
  private time = 5000;
  private wallTime = Date.UTC(2000, 0, 1);

  monotonic = (): number => this.time;
  wall = (): number => this.wallTime;
  random = (): number => this.chance;

  after = (ms: number, action: () => void): (() => void) => {
    const timer = { at: this.time + ms, action };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  };

  onWake = (action: () => void): (() => void) => {
    this.wakeUps.add(action);
    return () => this.wakeUps.delete(action);
  };

  /** Seconds in which timers run. */
  async pass(seconds: number): Promise<void> {
    const end = this.time + seconds * 1000;
    for (;;) {
      await settled();
      const first = Math.min(...[...this.timers].map(({ at }) => at));
      const next = [...this.timers].find(({ at }) => at === first);
      if (next === undefined || first > end) break;
      this.timers.delete(next);
      this.moveTo(next.at);
      next.action();
    }
    this.moveTo(end);
    await settled();
  }

  /** Seconds that the monotonic clock and the timers do not see. */
  sleep(seconds: number): void {
    this.wallTime += seconds * 1000;
  }

  async wake(): Promise<void> {
    for (const action of this.wakeUps) action();
    await settled();
  }

  private moveTo(time: number): void {
    this.wallTime += Math.max(0, time - this.time);
    this.time = Math.max(this.time, time);
  }
}
