import { parseCookie } from 'cookie';
import type { CookieOptions, Request } from 'express';

/** `__Host-`: from this very host only, never over plain http (browsers take localhost for safe). */
export const REFRESH_COOKIE = '__Host-vitrine-refresh';
export const INVITATION_COOKIE = '__Host-vitrine-invitation';

/** Two sign-ins that one browser has begun do not get in each other's way. */
export const attemptCookie = (state: string): string => `__Host-vitrine-login-${state.slice(0, 8)}`;

/** `lax` for what must come along when the provider sends the browser back. */
export const cookieOptions = (sameSite: 'strict' | 'lax', seconds?: number): CookieOptions => ({
  httpOnly: true,
  secure: true,
  sameSite,
  path: '/',
  ...(seconds !== undefined && { maxAge: seconds * 1000 }),
});

export const cookieOf = ({ headers }: Request, name: string): string | undefined =>
  parseCookie(headers.cookie ?? '')[name];
