/** Seconds after the first, second, … failed attempt; the last delay repeats. */
const DELAYS = [5, 300, 1800, 7200, 18_000, 36_000, 36_000] as const;
const MAX_DELAY = 36_000;

/** An endpoint that fails for longer is disabled. */
export const GIVE_UP_SECONDS = 5 * 86_400;

/** Attempts of a requested redelivery, which does not disable the endpoint. */
export const MAX_REDELIVERY_ATTEMPTS = DELAYS.length + 1;

/**
 * Seconds until the next attempt after this many consecutive failures. A `Retry-After` of the receiver extends the
 * delay up to the longest of the schedule; it never shortens it.
 */
export function retryDelay(failures: number, retryAfter: number | null = null): number {
  const delay = DELAYS[Math.max(0, failures - 1)] ?? MAX_DELAY;
  return Math.max(delay, Math.min(retryAfter ?? 0, MAX_DELAY));
}

/** Seconds of a `Retry-After` header (seconds or a date); null without a valid one. */
export function parseRetryAfter(value: string | string[] | undefined, now: Date): number | null {
  if (typeof value !== 'string') return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}
