import { Clock } from '../../src/core/clock.js';

/** Real time plus the offset of a test, or a time that stands still. */
export class TestClock extends Clock {
  private offset = 0;
  private frozenAt?: number;
  private frozenMonotonic?: number;

  override now(): Date {
    return new Date((this.frozenAt ?? Date.now()) + this.offset);
  }

  /** Without the offset, as a clock that is set. */
  override monotonic(): number {
    return this.frozenMonotonic ?? super.monotonic();
  }

  /** Time does not pass during the work, so that nothing expires, however long it takes. */
  async frozen<T>(work: () => Promise<T>): Promise<T> {
    this.frozenAt = Date.now();
    this.frozenMonotonic = super.monotonic();
    try {
      return await work();
    } finally {
      this.frozenAt = undefined;
      this.frozenMonotonic = undefined;
    }
  }

  advance(seconds: number): void {
    this.offset += seconds * 1000;
  }

  /**
   * Advances beyond midnight UTC if less than 30 minutes of the day are left, and beyond the end of the hour if less than 2 minutes
   * of it are left: the day of a test does not change, and what it does first is in one hour.
   */
  leaveEndOfDayAndHour(): void {
    const left = (seconds: number): number => seconds - ((this.now().getTime() / 1000) % seconds);
    if (left(86_400) < 1800) this.advance(left(86_400) + 60);
    if (left(3600) < 120) this.advance(left(3600) + 60);
  }
}
