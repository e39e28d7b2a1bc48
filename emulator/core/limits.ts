import type { Clock } from './clock.js';

/** Counts calls in windows of a fixed length, by the emulator's clock. */
export class Limits {
  private windows = new Map<string, { start: number; count: number }>();

  constructor(private readonly clock: Clock) {}

  /** Counts one more call; gives the seconds to wait when it is one too many. */
  take(key: string, most: number, seconds: number): number | null {
    const now = this.clock.now().getTime() / 1000;
    const kept = this.windows.get(key);
    const window = kept && now < kept.start + seconds ? kept : { start: now, count: 0 };
    this.windows.set(key, window);
    if (window.count >= most) return Math.max(1, Math.ceil(window.start + seconds - now));
    window.count += 1;
    return null;
  }
}
