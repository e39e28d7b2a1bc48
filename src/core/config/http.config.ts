import { isIP } from 'node:net';
import { type Environment, web } from './environment.js';

/** `10.0.0.7` or `10.0.0.0/8`; a /0 network would trust `X-Forwarded-For` from every client. */
function isAddressOrNetwork(text: string): boolean {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return false;
  return prefix === undefined || (Number(prefix) >= 1 && Number(prefix) <= (version === 4 ? 32 : 128));
}

/** Must be the exact form that browsers send in `Origin`; any other form matches no request. */
const isOrigin = (text: string): boolean =>
  URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text && !text.includes('*');

/** In the form that browsers send, with which `return_to` and `Origin` are compared. */
function readPublicUrl(env: Environment, port: number): string {
  const text = env.url(
    'PUBLIC_URL',
    'URL at which users reach the service. Links in emails and the token issuer are derived from it',
    web,
    `http://localhost:${port}`,
  );
  if (/[?#@]/.test(text)) {
    env.fail(
      'PUBLIC_URL must be a host with an optional path, such as https://reports.example.com or https://example.com/reports, without a user, query or fragment',
    );
  }
  return URL.canParse(text) ? new URL(text).href.replace(/\/+$/, '') : text;
}

export function readHttp(root: Environment) {
  const env = root.group('HTTP');
  const port = env.integer('PORT', 'Port of the HTTP server; 0: any free port', {
    min: 0,
    max: 65_535,
    fallback: 3000,
  });
  return {
    port,
    host: env.string('HOST', 'Address that the HTTP server binds to', '0.0.0.0'),
    publicUrl: readPublicUrl(env, port),
    corsOrigins: env.list('CORS_ORIGINS', 'Origins that may call the API from a browser', {
      holds: isOrigin,
      problem: 'must be origins such as https://portal.example.com, separated by commas, without a path or *',
    }),
    trustProxy: env.list(
      'TRUST_PROXY',
      'Addresses or networks (`10.0.0.0/8`) of the proxies whose `X-Forwarded-For` is trusted',
      {
        holds: isAddressOrNetwork,
        problem:
          'must be addresses or networks such as 10.0.0.0/8, separated by commas; ' +
          'true, numbers, host names and networks with the prefix /0 are not accepted',
      },
    ),
    hstsIncludesSubdomains: env.boolean(
      'HSTS_INCLUDE_SUBDOMAINS',
      'Extend `Strict-Transport-Security` to all subdomains of the host of `PUBLIC_URL`, including those that other services serve',
      false,
    ),
    portalEnabled: env.boolean('PORTAL_ENABLED', 'Serve the portal at `/`', true),
    docsEnabled: env.boolean(
      'DOCS_ENABLED',
      'Serve `/openapi.json` and, where the development packages are installed, the page `/docs`',
      false,
    ),
  };
}
