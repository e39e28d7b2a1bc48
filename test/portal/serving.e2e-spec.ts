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
    '200: %s is the portal, never kept',
    async (path) => {
      const response = await open(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.text()).toContain('<div id="root">');
    },
  );

  test('200: also to a program at the addresses that are handed out', async () => {
    for (const path of ['/', '/invitation', '/password-reset']) {
      expect((await open(path, { accept: '*/*' })).headers.get('content-type')).toContain('text/html');
    }
  });

  test('200: HEAD has the headers and no body', async () => {
    const response = await open('/reports', browser, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self' 'nonce-");
    expect(await response.text()).toBe('');
  });

  test('has a nonce of its own, the same in policy and page', async () => {
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

  test('allows itself nothing that is not its own, and asks no device for anything', async () => {
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

describe('what is no page', () => {
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

  test('401: what the API has stays behind its guard', async () => {
    expect((await open('/api/workspaces')).status).toBe(401);
  });

  test('405: a path of another method says which', async () => {
    const response = await open('/logout');
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });

  test.each(['application/json', '*/*', 'image/avif,image/webp,*/*'])(
    '404: a wrong address to who asks for %s',
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
  ])('4xx: %s leads nowhere', async (path) => {
    const { status, body } = await raw(path);
    expect([400, 404]).toContain(status);
    expect(body).not.toContain('secret');
  });

  test.each(['/../package.json', '/%2e%2e/package.json', '/index.html'])(
    '%s gives nothing away',
    async (path) => {
      const { body } = await raw(path);
      expect(body).not.toContain('secret');
      expect(body).not.toContain('%SETTINGS%');
    },
  );
});

describe('a file', () => {
  test('200: under a hashed name it is kept for good', async () => {
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
  ])('200: comes as %s to who takes %s', async (encoding, accepted) => {
    const response = await open('/assets/index-Dk3v9a.js', { 'accept-encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(await response.text()).toBe(bundle);
  });

  test('200: as it is where the build left no smaller one', async () => {
    const response = await open('/assets/index-B71c02.css', { 'accept-encoding': 'br' });
    expect(response.headers.get('content-type')).toContain('text/css');
    expect(response.headers.get('content-encoding')).toBeNull();
  });

  test('200: the icon', async () => {
    const response = await open('/favicon.svg');
    expect(response.headers.get('content-type')).toBe('image/svg+xml');
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600');
  });

  test('304: who has it already', async () => {
    const etag = (await open('/embed.js')).headers.get('etag') ?? '';
    expect((await open('/embed.js', { 'if-none-match': etag })).status).toBe(304);
  });
});

test('/embed.js is for pages of any origin', async () => {
  const { status, headers } = await open('/embed.js', { origin: 'https://intranet.example' });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(headers.get('cache-control')).toBe('public, max-age=300');
});
