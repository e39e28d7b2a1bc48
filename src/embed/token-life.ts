import { AccessEndsNow } from './embed.errors.js';

/** The longest that Power BI gives by default; a managed identity's token would allow a day. */
const MAX_MINUTES = 60;
/** Renewed while it still lives this long, so that no viewer sees it run out. */
const RENEW_BEFORE_SECONDS = 300;

interface TokenLifetime {
  /** Seconds that it had when it was issued. */
  expiresIn: number;
  at: Date;
}

export const secondsLeft = ({ expiresIn, at }: TokenLifetime, now: Date): number =>
  Math.floor(expiresIn - (now.getTime() - at.getTime()) / 1000);

/** Whether it would still open something when the right to that is over. */
export const outlives = ({ expiresIn, at }: TokenLifetime, endsAt: Date | null): boolean =>
  endsAt !== null && at.getTime() + expiresIn * 1000 > endsAt.getTime();

/**
 * Whether it may be handed out again: it lives for the promised minimum and for as long as a page takes to renew it, or
 * for half of its life where that is shorter, and no longer than the grant behind it, which may have been cut since.
 */
export function isReusable(
  life: TokenLifetime,
  now: Date,
  promisedSeconds: number,
  endsAt: Date | null,
): boolean {
  if (outlives(life, endsAt)) return false;
  return (
    secondsLeft(life, now) >=
    Math.max(2, Math.min(Math.max(promisedSeconds, RENEW_BEFORE_SECONDS), life.expiresIn / 2))
  );
}

/** Minutes to ask for: never more than the grant behind it has left. Zero would mean the longest there is. */
export function lifetimeMinutes(endsAt: Date | null, now: Date): number {
  if (endsAt === null) return MAX_MINUTES;
  const minutes = Math.floor((endsAt.getTime() - now.getTime()) / 60_000);
  if (minutes < 1) throw new AccessEndsNow();
  return Math.min(MAX_MINUTES, minutes);
}

/** Seconds after which to ask for the next: five minutes before the end, of a short life the last third. */
export const refreshIn = (left: number): number =>
  Math.max(1, left - Math.min(RENEW_BEFORE_SECONDS, Math.ceil(left / 3)));
