import type { Environment } from './environment.js';

export const isLoopback = (hostname: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(hostname) || /^127(\.\d+){3}$/.test(hostname);

/** Allows plain http only for loopback and for hosts that the operator lists. */
export function requireSecure(
  env: Environment,
  name: string,
  url: string,
  insecureHosts: readonly string[],
): void {
  if (!URL.canParse(url)) return;
  const { protocol, hostname } = new URL(url);
  if (protocol === 'http:' && !isLoopback(hostname) && !insecureHosts.includes(hostname)) {
    env.fail(`${name} must use https (INSECURE_UPSTREAM_HOSTS allows plain http for a host)`);
  }
}
