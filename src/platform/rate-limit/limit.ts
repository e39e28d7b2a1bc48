import { createHash } from 'node:crypto';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../../core/problems/problem.js';

/** The same for every limit, so that it does not reveal which one applies. */
class TooManyAttempts extends Problem {
  constructor(retryAfter: number) {
    const wait = retryAfter === 1 ? '1 second' : `${retryAfter} seconds`;
    super('rate_limited', `Try again in ${wait}.`, { retryAfter });
  }
}

const secondsOf = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));

/** Hashes the parts, so that the store contains no email addresses and every key has the same length. */
export const keyOf = (...parts: string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('base64url');

/** State of a key after one point was consumed. */
interface Consumption {
  isOver: boolean;
  left: number;
  /** Seconds until the limit resets. */
  seconds: number;
}

/** A rate limit: a maximum number of points per key and time window. */
export class Limit {
  constructor(private readonly limiter: RateLimiterAbstract) {}

  /** Seconds until this key may continue; 0 when it is not limited. Consumes nothing. */
  async wait(key: string): Promise<number> {
    const found = await this.limiter.get(key);
    return found !== null && found.consumedPoints >= this.limiter.points ? secondsOf(found) : 0;
  }

  /** Consumes a point and returns the number consumed. Throws TooManyAttempts; a rejected call does not extend the window. */
  async consume(key: string, seconds?: number): Promise<number> {
    try {
      const options = seconds === undefined ? {} : { customDuration: seconds };
      return (await this.limiter.consume(key, 1, options)).consumedPoints;
    } catch (error) {
      if (error instanceof RateLimiterRes) throw new TooManyAttempts(secondsOf(error));
      throw error;
    }
  }

  /** The state of the key, of which nothing is consumed. */
  async peek(key: string): Promise<Pick<Consumption, 'left' | 'seconds'>> {
    const found = await this.limiter.get(key);
    const { points, duration } = this.limiter;
    if (found === null) return { left: points, seconds: duration };
    return { left: Math.max(0, points - found.consumedPoints), seconds: secondsOf(found) };
  }

  /** Consumes a point and returns the state of the key instead of throwing. */
  async tryConsume(key: string): Promise<Consumption> {
    try {
      const found = await this.limiter.consume(key);
      return { isOver: false, left: Math.max(0, found.remainingPoints), seconds: secondsOf(found) };
    } catch (error) {
      if (error instanceof RateLimiterRes) return { isOver: true, left: 0, seconds: secondsOf(error) };
      throw error;
    }
  }

  /** Counts an event that has already happened; never throws TooManyAttempts. */
  async record(key: string): Promise<void> {
    await this.limiter.penalty(key);
  }

  async refund(key: string): Promise<void> {
    await this.limiter.reward(key);
  }

  /** Blocks this key for a number of seconds, starting now. */
  async block(key: string, seconds: number): Promise<void> {
    await this.limiter.block(key, seconds);
  }

  async clear(key: string): Promise<void> {
    await this.limiter.delete(key);
  }
}

/** Throws TooManyAttempts with the longest of these waits; returns when all are 0. */
export function requireNoWait(waits: readonly number[]): void {
  const longest = Math.max(0, ...waits);
  if (longest > 0) throw new TooManyAttempts(longest);
}
