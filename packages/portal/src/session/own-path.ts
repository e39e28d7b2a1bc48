const ANYWHERE = 'https://portal.invalid';

/** Where somebody was going, if that is a page of this portal: what looks like a path can be another host's address. */
export function ownPath(wanted: unknown): string | undefined {
  if (typeof wanted !== 'string' || !wanted.startsWith('/') || !URL.canParse(wanted, ANYWHERE))
    return undefined;
  const { origin, pathname, search, hash } = new URL(wanted, ANYWHERE);
  const path = pathname + search + hash;
  // A path may come out as `//host` only after its dots were resolved.
  if (origin !== ANYWHERE || path.startsWith('//')) return undefined;
  return path;
}

/** What a page that sends people to `/sign-in` says there. */
export interface SignInState {
  from?: string;
  /** A password was just chosen by the link in a mail. */
  isReset?: boolean;
}

/** What `/sign-in` tells the page for forgotten passwords. */
export interface ResetState {
  email?: string;
}

/** Where to go after signing in. */
export const destinationOf = (state: unknown): string => ownPath((state as SignInState | null)?.from) ?? '/';
