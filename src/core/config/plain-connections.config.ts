import type { Environment } from './environment.js';
import { decoded } from './percent-encoding.js';

const isLoopback = (hostname: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(hostname) || /^127(\.\d+){3}$/.test(hostname);

/** Reads the unencrypted connections that the operator explicitly allows. */
export function readPlainConnections(root: Environment) {
  const env = root.group('Unencrypted connections');
  env.forbid(
    'NODE_TLS_REJECT_UNAUTHORIZED',
    '0',
    'accepts every certificate: remove it, and configure a private certificate authority in NODE_EXTRA_CA_CERTS',
  );
  return {
    publicUrl: env.boolean(
      'INSECURE_PUBLIC_URL',
      'Accept plain http in `PUBLIC_URL` and `OIDC_RETURN_URLS` for hosts other than loopback',
      false,
    ),
    database: readInsecureDatabase(env),
    upstreamHosts: env.list(
      'INSECURE_UPSTREAM_HOSTS',
      'Hosts of Power BI, Entra, the identity provider or the breached-passwords API that may use plain http; loopback is always allowed',
    ),
  };
}

export type PlainConnections = ReturnType<typeof readPlainConnections>;

export const readInsecureDatabase = (env: Environment): boolean =>
  env.boolean(
    'INSECURE_DATABASE',
    'Accept database URLs without `sslmode=require`, `verify-ca` or `verify-full` for hosts other than loopback; only for a private network',
    false,
  );

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

/** Requires https for URLs that receive passwords, tokens and cookies. */
export function requireHttps(
  env: Environment,
  name: string,
  urls: readonly string[],
  { publicUrl }: PlainConnections,
): void {
  const isPlain = (url: string): boolean =>
    URL.canParse(url) && new URL(url).protocol === 'http:' && !isLoopback(new URL(url).hostname);
  if (env.isProduction && !publicUrl && urls.some(isPlain)) {
    env.fail(`${name} must use https (INSECURE_PUBLIC_URL=true allows plain http)`);
  }
}

/**
 * Excludes `prefer` and `allow`, which libpq defines as falling back to plain text, and `no-verify`, which accepts
 * every certificate.
 */
const encrypted = ['require', 'verify-ca', 'verify-full'];

function isEncrypted({ searchParams }: URL): boolean {
  const mode = searchParams.get('sslmode');
  if (mode === null) return ['true', '1'].includes(searchParams.get('ssl') ?? '');
  // libpq's `require` does not verify the certificate, the driver's own does.
  const isLibpq = searchParams.get('uselibpqcompat') === 'true';
  return encrypted.includes(mode) && !(isLibpq && mode === 'require');
}

/** A Unix socket or a loopback address; without a host the driver connects to `localhost`. */
function isLocal(url: URL): boolean {
  const host = url.searchParams.get('host') || decoded(url.hostname) || 'localhost';
  return host.startsWith('/') || isLoopback(host);
}

export function requireEncryptedDatabase(
  env: Environment,
  urls: Readonly<Record<string, string | undefined>>,
  isAccepted: boolean,
): void {
  if (!env.isProduction || isAccepted) return;
  for (const [name, text = ''] of Object.entries(urls)) {
    if (!URL.canParse(text) || isLocal(new URL(text)) || isEncrypted(new URL(text))) continue;
    env.fail(
      `${name} requires sslmode=verify-full, verify-ca or require (INSECURE_DATABASE=true allows plain text)`,
    );
  }
}
