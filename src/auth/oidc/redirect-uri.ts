import { Problem } from '../../core/problems/problem.js';

class InvalidRedirectUri extends Problem {
  constructor() {
    super('invalid_return_address', 'OIDC_RETURN_URLS does not include this URL.');
  }
}

/** An allowed URL covers itself and the paths below it; origins must match exactly. */
const covers = (allowed: URL, url: URL): boolean => {
  const base = allowed.pathname.replace(/\/+$/, '');
  return allowed.origin === url.origin && (url.pathname === base || url.pathname.startsWith(`${base}/`));
};

/** Returns the validated redirect URI, or the first allowed one when absent. Throws InvalidRedirectUri. */
export function validateRedirectUri(requested: string | undefined, allowed: readonly string[]): string {
  if (requested === undefined) return allowed[0] as string;
  const url = URL.canParse(requested) ? new URL(requested) : undefined;
  const isPlain = url !== undefined && url.username === '' && url.password === '' && url.hash === '';
  if (!isPlain || !allowed.some((one) => covers(new URL(one), url))) throw new InvalidRedirectUri();
  return url.href;
}
