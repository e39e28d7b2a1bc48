import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { demoTenant } from '@vitrine/power-bi-emulator';
import { demoPeople, type Person } from './demo-people.js';
import { freePort } from './free-port.js';
import { identityProviderApp } from './identity-provider-app.js';

/** Vitrine's client credentials at the emulated provider; valid on this machine only. */
export const demoClient = { clientId: 'vitrine', clientSecret: 'vitrine-demo-secret' };

interface Options {
  port?: number;
  /** Redirect URI of the service. */
  publicUrl: string;
  people?: readonly Person[];
  /** Private JWKs that sign tokens; created if absent. */
  keys?: JsonWebKey[];
}

export interface RunningIdentityProvider {
  issuer: string;
  /** By `sub`; a change takes effect in the next token. */
  people: Map<string, Person>;
  /** Invalidates all refresh tokens. */
  provider: Provider;
  close: () => Promise<void>;
}

const newKey = (): JsonWebKey => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  alg: 'RS256',
  use: 'sig',
});

/** Mounted below the tenant's path, as with Entra. The library derives its URLs from `originalUrl`. */
function below(path: string, handle: (request: IncomingMessage, response: ServerResponse) => unknown) {
  return (request: IncomingMessage & { originalUrl?: string }, response: ServerResponse): void => {
    if (request.url?.startsWith(`${path}/`) !== true) {
      response.writeHead(404).end();
      return;
    }
    request.originalUrl = request.url;
    request.url = request.url.slice(path.length);
    handle(request, response);
  };
}

/** Emulates Entra's sign-in: OpenID Connect with demo users, who sign in by a click instead of a password. */
export async function startIdentityProvider(options: Options): Promise<RunningIdentityProvider> {
  const port = options.port ?? (await freePort());
  const path = `/${demoTenant.tenantId}/v2.0`;
  const issuer = `http://127.0.0.1:${port}${path}`;
  const people = new Map((options.people ?? demoPeople).map((person) => [person.sub, person]));
  const callback = `${options.publicUrl.replace(/\/+$/, '')}/login/callback`;
  const provider = identityProviderApp({
    issuer,
    path,
    people,
    callback,
    client: demoClient,
    keys: options.keys ?? [newKey()],
  });
  const server = createServer(below(path, provider.callback()));
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { issuer, people, provider, close };
}
