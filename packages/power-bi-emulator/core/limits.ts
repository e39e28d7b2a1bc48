import type { Clock } from './clock.js';

export interface Limit {
  key: string;
  most: number;
  seconds: number;
}

interface Window {
  start: number;
  count: number;
}

/** Counts calls in fixed windows, by the emulator's clock. */
export class Limits {
  private windows = new Map<string, Window>();

  constructor(private readonly clock: Clock) {}

  /**
   * Counts a call against all limits and returns null. If one is exhausted, counts nothing and returns the seconds to
   * wait.
   */
  take(limits: Limit[]): number | null {
    const now = this.clock.now().getTime() / 1000;
    const windows = limits.map((limit) => ({ ...limit, window: this.windowOf(limit, now) }));
    const waits = windows
      .filter(({ window, most }) => window.count >= most)
      .map(({ window, seconds }) => Math.max(1, Math.ceil(window.start + seconds - now)));
    if (waits.length > 0) return Math.max(...waits);
    for (const { window } of windows) window.count += 1;
    return null;
  }

  private windowOf({ key, seconds }: Limit, now: number): Window {
    const kept = this.windows.get(key);
    const window = kept && now < kept.start + seconds ? kept : { start: now, count: 0 };
    this.windows.set(key, window);
    return window;
  }
}
