import type { Environment } from './environment.js';

/** Plain http is for loopback and for the hosts that the operator names. */
export function requireSecure(
  env: Environment,
  name: string,
  url: string,
  insecureHosts: readonly string[],
): void {
  if (!URL.canParse(url)) return;
  const { protocol, hostname } = new URL(url);
  const loopback = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
  if (protocol === 'http:' && !loopback && !insecureHosts.includes(hostname)) {
    env.fail(`${name} must be https (or its host named in INSECURE_UPSTREAM_HOSTS)`);
  }
}
