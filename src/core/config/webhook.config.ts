import type { Environment } from './environment.js';

/** A host that webhooks may reach although it is private or uses plain http. Without a port: on any port. */
export interface AllowedHost {
  /** As `URL.hostname` writes it. */
  hostname: string;
  port?: number;
}

const hostAndPort = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+?)(?::(\d{1,5}))?$/i;

function parseHost(text: string): AllowedHost | null {
  const match = hostAndPort.exec(text);
  if (match === null || !URL.canParse(`http://${text}`)) return null;
  const { hostname } = new URL(`http://${text}`);
  return match[1] === undefined ? { hostname } : { hostname, port: Number(match[1]) };
}

export function readWebhooks(root: Environment) {
  const env = root.group('Webhooks');
  const hosts = env.list(
    'WEBHOOK_ALLOWED_HOSTS',
    'Receivers of webhooks, as `host` or `host:port`, that may have a private address, use plain http and use ports other than 443 and 8443',
    { holds: (text) => parseHost(text) !== null, problem: 'must list hosts as host or host:port' },
  );
  return { allowedHosts: hosts.map(parseHost).filter((host) => host !== null) };
}
