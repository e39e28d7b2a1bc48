import type { RefreshTokensService } from './refresh-tokens.service.js';
import type { Session } from './session.entity.js';

/** A session that nobody continues for so long is over. */
export const IDLE_SECONDS = 7 * 86_400;

/** A session with the refresh token that continues it, and for how many seconds that one is good if nobody uses it. */
export interface IssuedSession {
  id: string;
  userId: string;
  /** Absent where the credentials themselves are the way to the next token. */
  refreshToken?: string;
  refreshExpiresIn?: number;
}

export const secondsBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / 1000;

/** With the token of the counter that the session is at. */
export const issueSession = (session: Session, tokens: RefreshTokensService, now: Date): IssuedSession => ({
  id: session.id,
  userId: session.userId,
  refreshToken: tokens.encode(session.id, session.counter, session.salt),
  refreshExpiresIn: Math.floor(Math.min(IDLE_SECONDS, secondsBetween(now, session.expiresAt))),
});
