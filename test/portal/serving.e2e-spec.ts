import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bundle, withPortal } from '../support/portal.js';
import { type Service, startService } from '../support/service.js';

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let service: Service;

beforeAll(async () => {
  service = await startService({ DOCS_ENABLED: 'false' }, withPortal());
});
afterAll(() => service.close());

const open = (path: string, headers: Record<string, string> = browser, method = 'GET') =>
  fetch(`${service.url}${path}`, { headers, method });

/** The path as it is written: `fetch` would tidy it up. */
const raw = (path: string): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(service.url, { path, headers: browser }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.on('error', reject).end();
  });

describe('a page', () => {
  test.each(['/', '/workspaces', '/reports/7?page=2', '/invitation', '/password-reset', '/a/b/c', '/apix'])(
    '200: %s is the portal, with no-store',
    async (path) => {
      const response = await open(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.text()).toContain('<div id="root">');
    },
  );

  test('200: the linked pages are served to non-browsers too', async () => {
    for (const path of ['/', '/invitation', '/password-reset']) {
      expect((await open(path, { accept: '*/*' })).headers.get('content-type')).toContain('text/html');
    }
  });

  test('200: HEAD returns the headers without a body', async () => {
    const response = await open('/reports', browser, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self' 'nonce-");
    expect(await response.text()).toBe('');
  });

  test('has a new nonce in each response, the same in policy and page', async () => {
    const nonces = await Promise.all(
      [1, 2, 3].map(async () => {
        const response = await open('/');
        const [, nonce = ''] =
          /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '') ?? [];
        const html = await response.text();
        expect(html.split(`nonce="${nonce}"`)).toHaveLength(3);
        expect(html).not.toContain('%');
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(3);
    expect(nonces[0]).toMatch(/^[\w+/]{22}==$/);
  });

  test('allows only its own resources, and no device permissions', async () => {
    const { headers } = await open('/');
    const policy = headers.get('content-security-policy') ?? '';
    for (const directive of [
      "default-src 'none'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "object-src 'none'",
      "base-uri 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]) {
      expect(policy.split('; ')).toContain(directive);
    }
    expect(policy).not.toContain('unsafe');
    expect(headers.get('permissions-policy')).toContain('geolocation=()');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('a path that is not a page', () => {
  test.each([
    '/api/nowhere',
    '/API/nowhere',
    '/api',
    '/docs',
    '/openapi.json',
    '/metrics',
    '/.well-known/nothing',
    '/assets',
    '/assets/index-gone.js',
    '/login/nowhere',
  ])('404: %s is a problem, for a browser too', async (path) => {
    const response = await open(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'route_not_found' });
  });

  test('401: API routes require a token', async () => {
    expect((await open('/api/workspaces')).status).toBe(401);
  });

  test('405: another method, with Allow', async () => {
    const response = await open('/logout');
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });

  test.each(['application/json', '*/*', 'image/avif,image/webp,*/*'])(
    '404: an unknown path for a client that accepts %s',
    async (accept) => {
      const response = await open('/workspace', { accept });
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toContain('application/problem+json');
    },
  );

  test.each(['POST', 'PUT', 'DELETE'])('404: %s on a page', async (method) => {
    for (const path of ['/', '/reports', '/assets/index-Dk3v9a.js']) {
      expect((await open(path, browser, method)).status).toBe(404);
    }
  });

  test.each([
    '/assets/..%2f..%2fpackage.json',
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..\\..\\package.json',
    '/assets/index-Dk3v9a.js%00',
    '/assets/%ZZ',
    '/assets//etc/passwd',
  ])('4xx: %s does not leave the folder', async (path) => {
    const { status, body } = await raw(path);
    expect([400, 404]).toContain(status);
    expect(body).not.toContain('secret');
  });

  test.each(['/../package.json', '/%2e%2e/package.json', '/index.html'])(
    '%s does not expose other files',
    async (path) => {
      const { body } = await raw(path);
      expect(body).not.toContain('secret');
      expect(body).not.toContain('%SETTINGS%');
    },
  );
});

describe('a file', () => {
  test('200: a hashed name is cached immutably', async () => {
    const response = await open('/assets/index-Dk3v9a.js', { 'accept-encoding': 'identity' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('vary')).toContain('Accept-Encoding');
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(await response.text()).toBe(bundle);
  });

  test.each([
    ['br', 'gzip, deflate, br'],
    ['gzip', 'gzip, deflate'],
    ['gzip', 'br;q=0, gzip'],
    [null, 'identity'],
  ])('200: is encoded as %s for Accept-Encoding %s', async (encoding, accepted) => {
    const response = await open('/assets/index-Dk3v9a.js', { 'accept-encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(await response.text()).toBe(bundle);
  });

  test('200: is uncompressed when the build has no compressed variant', async () => {
    const response = await open('/assets/index-B71c02.css', { 'accept-encoding': 'br' });
    expect(response.headers.get('content-type')).toContain('text/css');
    expect(response.headers.get('content-encoding')).toBeNull();
  });

  test('200: the icon', async () => {
    const response = await open('/favicon.svg');
    expect(response.headers.get('content-type')).toBe('image/svg+xml');
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
  });

  test('304: for a matching ETag', async () => {
    const etag = (await open('/embed.js')).headers.get('etag') ?? '';
    expect((await open('/embed.js', { 'if-none-match': etag })).status).toBe(304);
  });
});

test('/embed.js can be loaded by any origin', async () => {
  const { status, headers } = await open('/embed.js', { origin: 'https://intranet.example' });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(headers.get('cache-control')).toBe('public, max-age=300');
});
