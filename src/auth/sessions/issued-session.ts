import type { RefreshTokensService } from './refresh-tokens.service.js';
import type { Session } from './session.entity.js';

/** Lifetime of an access token. A service account's session ends with it. */
export const ACCESS_TOKEN_SECONDS = 3600;

/** A session that is not refreshed for this long ends. */
export const IDLE_SECONDS = 7 * 86_400;

/** A session with its refresh token and that token's lifetime in seconds. */
export interface IssuedSession {
  id: string;
  userId: string;
  /** Absent for service accounts: they request the next token with their credentials. */
  refreshToken?: string;
  refreshExpiresIn?: number;
}

export const secondsBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / 1000;

/** Issues the refresh token of the session's current counter. */
export const issueSession = (session: Session, tokens: RefreshTokensService, now: Date): IssuedSession => ({
  id: session.id,
  userId: session.userId,
  refreshToken: tokens.encode(session.id, session.counter, session.salt),
  refreshExpiresIn: Math.floor(Math.min(IDLE_SECONDS, secondsBetween(now, session.expiresAt))),
});
