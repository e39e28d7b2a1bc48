import { Clock } from '../../src/core/clock.js';

/** Real time plus the offset of a test, or a time that stands still. */
export class TestClock extends Clock {
  private offset = 0;
  private frozenAt?: number;

  override now(): Date {
    return new Date((this.frozenAt ?? Date.now()) + this.offset);
  }

  /** Time does not pass during the work, so that nothing expires, however long it takes. */
  async frozen<T>(work: () => Promise<T>): Promise<T> {
    this.frozenAt = Date.now();
    try {
      return await work();
    } finally {
      this.frozenAt = undefined;
    }
  }

  advance(seconds: number): void {
    this.offset += seconds * 1000;
  }
}
