import type { Clock } from '../core/clock.js';
import { AccessEndsNow } from './embed.errors.js';

/** Tokens are renewed this long before they expire, so that no viewer is interrupted. */
const RENEW_BEFORE_SECONDS = 300;

interface TokenLifetime {
  /** Lifetime in seconds at the time of issue. */
  expiresIn: number;
  at: Date;
}

interface MeasuredLifetime extends TokenLifetime {
  /** `at` on the monotonic clock. */
  atMonotonic: number;
}

type Clocks = Pick<Clock, 'now' | 'monotonic'>;

/** By the clock on which more time has passed: one may be set back, the other may stop. */
export function secondsLeft({ expiresIn, at, atMonotonic }: MeasuredLifetime, clock: Clocks): number {
  const elapsedMs = Math.max(clock.now().getTime() - at.getTime(), clock.monotonic() - atMonotonic);
  return Math.floor(expiresIn - elapsedMs / 1000);
}

const endOf = ({ expiresIn, at }: TokenLifetime): number => at.getTime() + expiresIn * 1000;

/** Whether the token would outlive the right behind it. */
const outlives = (life: TokenLifetime, endsAt: Date | null): boolean =>
  endsAt !== null && endOf(life) > endsAt.getTime();

/**
 * Until when the right must last for the token to be issued: until the token expires, or, if that is earlier, until the end for which the
 * token was requested, because Power BI may return one that is seconds longer.
 */
export const requiredEnd = (life: TokenLifetime, requestedFor: Date | null): Date =>
  new Date(Math.min(endOf(life), requestedFor?.getTime() ?? Infinity));

/**
 * Whether the token can be returned again. It must last for the promised minimum and the time that a page needs to
 * renew it, or for half of its lifetime if it never lasted longer than the minimum. It must not outlive the grant
 * behind it, which may have been shortened since.
 */
export function isReusable(
  life: MeasuredLifetime,
  clock: Clocks,
  promisedSeconds: number,
  endsAt: Date | null,
): boolean {
  if (outlives(life, endsAt)) return false;
  const half = life.expiresIn / 2;
  const needed =
    life.expiresIn > promisedSeconds ? Math.max(promisedSeconds, Math.min(RENEW_BEFORE_SECONDS, half)) : half;
  return secondsLeft(life, clock) >= Math.max(2, needed);
}

/**
 * Lifetime to request, in minutes: at most `maximum`, and what the grant has left. Never zero, which would request the longest
 * lifetime. Throws AccessEndsNow when less than a minute is left.
 */
export function lifetimeMinutes(endsAt: Date | null, now: Date, maximum: number): number {
  if (endsAt === null) return maximum;
  const minutes = Math.floor((endsAt.getTime() - now.getTime()) / 60_000);
  if (minutes < 1) throw new AccessEndsNow();
  return Math.min(maximum, minutes);
}

/** Seconds after which to request the next token: five minutes before expiry, or after two thirds of a short lifetime. */
export const refreshIn = (left: number): number =>
  Math.max(1, left - Math.min(RENEW_BEFORE_SECONDS, Math.ceil(left / 3)));
