import type { CookieOptions } from 'express';

/** `__Host-`: bound to this host and sent only over HTTPS (browsers treat localhost as secure). */
export const REFRESH_COOKIE = '__Host-vitrine-refresh';
export const INVITATION_COOKIE = '__Host-vitrine-invitation';

/** Whether the value has the format of a `state` created here; it becomes part of a cookie name. */
export const isState = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/** One cookie per `state`, so that concurrent sign-ins in one browser do not overwrite each other. */
export const attemptCookie = (state: string): string => `__Host-vitrine-login-${state.slice(0, 8)}`;

/** `lax` for cookies that must be sent when the provider redirects the browser back. */
export const cookieOptions = (sameSite: 'strict' | 'lax', seconds?: number): CookieOptions => ({
  httpOnly: true,
  secure: true,
  sameSite,
  path: '/',
  ...(seconds !== undefined && { maxAge: seconds * 1000 }),
});
