const ANYWHERE = 'https://portal.invalid';

/** The requested path, if it is a page of this portal: some strings that look like a path address another host. */
export function ownPath(wanted: unknown): string | undefined {
  if (typeof wanted !== 'string' || !wanted.startsWith('/') || !URL.canParse(wanted, ANYWHERE))
    return undefined;
  const { origin, pathname, search, hash } = new URL(wanted, ANYWHERE);
  const path = pathname + search + hash;
  // A path may come out as `//host` only after its dots were resolved.
  if (origin !== ANYWHERE || path.startsWith('//')) return undefined;
  return path;
}

/** The history state of a redirect to `/sign-in`. */
export interface SignInState {
  from?: string;
  /** The password was just changed through an emailed link. */
  isReset?: boolean;
  /** Of that account. */
  email?: string;
}

/** The history state of the link from `/sign-in` to the password reset. */
export interface ResetState {
  email?: string;
}

/** Where to go after signing in. */
export const destinationOf = (state: unknown): string => ownPath((state as SignInState | null)?.from) ?? '/';
