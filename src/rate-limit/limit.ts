import { createHash } from 'node:crypto';
import type { IPolicy } from 'cockatiel';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { TooManyAttempts } from './rate-limit.errors.js';

const secondsOf = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));

/** Neither addresses nor mail addresses lie in the store, and every key is equally long. */
export const keyOf = (...parts: string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('base64url');

/** One that is quick, and may be away. */
export interface FirstLimiter {
  limiter: RateLimiterAbstract;
  policy: IPolicy;
}

/** What is left of a key after one more was counted. */
export interface Consumption {
  isOver: boolean;
  left: number;
  /** Until all of it is there again. */
  seconds: number;
}

/** So many in so much time for each key. */
export class Limit {
  constructor(
    private readonly limiter: RateLimiterAbstract,
    /** Asked first, where there is one. */
    private readonly first?: FirstLimiter,
  ) {}

  /** Seconds until this key may go on; 0 when it may now. Counts nothing. */
  async wait(key: string): Promise<number> {
    const found = await this.execute((limiter) => limiter.get(key));
    return found !== null && found.consumedPoints >= this.limiter.points ? secondsOf(found) : 0;
  }

  /** Counts one, and answers how many that makes. Throws TooManyAttempts; one beyond the limit does not extend it. */
  async consume(key: string, seconds?: number): Promise<number> {
    try {
      const options = seconds === undefined ? {} : { customDuration: seconds };
      return (await this.execute((limiter) => limiter.consume(key, 1, options))).consumedPoints;
    } catch (error) {
      if (error instanceof RateLimiterRes) throw new TooManyAttempts(secondsOf(error));
      throw error;
    }
  }

  /** Counts one, and says how that leaves the key. */
  async tryConsume(key: string): Promise<Consumption> {
    try {
      const found = await this.execute((limiter) => limiter.consume(key));
      return { isOver: false, left: Math.max(0, found.remainingPoints), seconds: secondsOf(found) };
    } catch (error) {
      if (error instanceof RateLimiterRes) return { isOver: true, left: 0, seconds: secondsOf(error) };
      throw error;
    }
  }

  /** Counts one of what has happened already. */
  async record(key: string): Promise<void> {
    await this.execute((limiter) => limiter.penalty(key));
  }

  /** Uncounts one. */
  async refund(key: string): Promise<void> {
    await this.execute((limiter) => limiter.reward(key));
  }

  /** Nothing more for this key for so long, starting now. */
  async block(key: string, seconds: number): Promise<void> {
    await this.execute((limiter) => limiter.block(key, seconds));
  }

  async clear(key: string): Promise<void> {
    await this.execute((limiter) => limiter.delete(key));
  }

  /** Never open: what the first limiter cannot say in time, the other one does. */
  private async execute<T>(question: (limiter: RateLimiterAbstract) => Promise<T>): Promise<T> {
    const { first } = this;
    if (first === undefined) return question(this.limiter);
    try {
      return await first.policy.execute(() => question(first.limiter));
    } catch (error) {
      if (error instanceof RateLimiterRes) throw error;
      return question(this.limiter);
    }
  }
}

/** Throws TooManyAttempts with the longest of these waits; passes when there is none. */
export function requireNoWait(waits: readonly number[]): void {
  const longest = Math.max(0, ...waits);
  if (longest > 0) throw new TooManyAttempts(longest);
}
