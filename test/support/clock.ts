import { Clock } from '../../src/core/clock.js';

/** Real time plus the offset of a test. */
export class TestClock extends Clock {
  private offset = 0;

  override now(): Date {
    return new Date(Date.now() + this.offset);
  }

  advance(seconds: number): void {
    this.offset += seconds * 1000;
  }
}
