import type { Environment } from '../src/environment.js';

interface Timer {
  at: number;
  action: () => void;
}

/** Waits until pending promises have settled. */
export const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));

/** A browser environment with a manual clock. */
export class FakeEnvironment implements Environment {
  readonly timers = new Set<Timer>();
  readonly wakeUps = new Set<() => void>();
  readonly visibilityListeners = new Set<(isVisible: boolean) => void>();
  randomValue = 0;
  private visible = true;
  private ids = 0;
  private time = 5000;
  private wallTime = Date.UTC(2000, 0, 1);

  monotonic = (): number => this.time;
  wall = (): number => this.wallTime;
  random = (): number => this.randomValue;

  after = (ms: number, action: () => void): (() => void) => {
    const timer = { at: this.time + ms, action };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  };

  onWake = (action: () => void): (() => void) => {
    this.wakeUps.add(action);
    return () => this.wakeUps.delete(action);
  };

  isVisible = (): boolean => this.visible;

  onVisibility = (action: (isVisible: boolean) => void): (() => void) => {
    this.visibilityListeners.add(action);
    return () => this.visibilityListeners.delete(action);
  };

  uuid = (): string => `view-${(this.ids += 1)}`;

  async setVisible(isVisible: boolean): Promise<void> {
    this.visible = isVisible;
    for (const action of this.visibilityListeners) action(isVisible);
    await settle();
  }

  /** Advances the clock and runs the timers that are due. */
  async advance(seconds: number): Promise<void> {
    const end = this.time + seconds * 1000;
    for (;;) {
      await settle();
      const first = Math.min(...[...this.timers].map(({ at }) => at));
      const next = [...this.timers].find(({ at }) => at === first);
      if (next === undefined || first > end) break;
      this.timers.delete(next);
      this.moveTo(next.at);
      next.action();
    }
    this.moveTo(end);
    await settle();
  }

  /** Advances only the wall clock, as during sleep. */
  sleep(seconds: number): void {
    this.wallTime += seconds * 1000;
  }

  async wake(): Promise<void> {
    for (const action of this.wakeUps) action();
    await settle();
  }

  private moveTo(time: number): void {
    this.wallTime += Math.max(0, time - this.time);
    this.time = Math.max(this.time, time);
  }
}
