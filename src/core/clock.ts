import { Injectable } from '@nestjs/common';

/** Tolerated difference between the clocks of two replicas. */
export const MAX_SKEW_SECONDS = 300;

/** The only source of the current time for anything that expires. Tests replace it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }

  /** Milliseconds on a clock that is never set: only differences have a meaning. It may stop while the machine sleeps. */
  monotonic(): number {
    return performance.now();
  }

  /** Whether the time is less than this many seconds ago. One in the future is not: the clock was set back. */
  isWithin(at: Date, seconds: number): boolean {
    const age = this.now().getTime() - at.getTime();
    return age >= 0 && age < seconds * 1000;
  }

  /** Returns the time this many seconds from now. */
  in(seconds: number): Date {
    return new Date(this.now().getTime() + seconds * 1000);
  }
}
