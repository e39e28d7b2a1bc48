import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { securityHeaders } from '../src/core/http/security-headers.js';
import { sendRaw } from './support/raw.js';
import { type Service, startService } from './support/service.js';

let service: Service;
let token: string;
const origin = 'https://portal.example.com';
const protective = Object.entries(securityHeaders({ hstsIncludesSubdomains: false }));

beforeAll(async () => {
  service = await startService({ CORS_ORIGINS: origin });
  token = (await service.asAdmin()).token as string;
});
afterAll(() => service.close());

const ask = (path: string, init: RequestInit = {}) => fetch(new URL(path, service.url), init);
const signed = (): Record<string, string> => ({ authorization: `Bearer ${token}` });
const json = { 'content-type': 'application/json' };

/** An answer of each status that can be had from outside, the framework's own among them. */
const responses: [number, () => Promise<Response>][] = [
  [200, () => ask('/livez')],
  [200, () => ask('/api/workspaces', { headers: signed() })],
  [400, () => ask('/api/auth/token', { method: 'POST', headers: json, body: '{' })],
  [400, () => ask('/api/%E0%A4%A', { headers: signed() })],
  [401, () => ask('/api/workspaces')],
  [404, () => ask('/api/nowhere', { headers: signed() })],
  [405, () => ask('/api/auth/token')],
  [413, () => ask('/api/auth/token', { method: 'POST', headers: json, body: `"${'x'.repeat(200_000)}"` })],
  [
    415,
    () => ask('/api/auth/token', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' }),
  ],
];

describe('every response', () => {
  test.each(responses)('CFG-05 %i has the security headers', async (status, send) => {
    const answer = await send();
    expect(answer.status).toBe(status);
    const { headers } = answer;
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{7,}$/);
    for (const [name, value] of protective) expect([name, headers.get(name)]).toEqual([name, value]);
    expect(headers.get('cache-control')).toMatch(/no-store|no-cache/);
    expect(headers.get('x-request-id')).toMatch(/^[\w.-]{1,64}$/);
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('server')).toBeNull();
  });

  test.each(responses.filter(([status]) => status >= 400))(
    'ERR-01 ERR-02 %i is a problem without internal details',
    async (status, send) => {
      const answer = await send();
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      const text = await answer.text();
      expect(JSON.parse(text)).toMatchObject({
        status,
        code: expect.any(String),
        request_id: expect.any(String),
      });
      expect(text).not.toMatch(/node_modules|\.js:\d|at \w+ \(|SELECT|postgres|Error:/);
    },
  );
});

test.each([
  ['400, not HTTP', 'GARBAGE\r\n\r\n', 400],
  ['431, headers too large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
])(
  'CFG-05 a response written before Express handles the request has them too: %s',
  async (_, bytes, status) => {
    const response = await sendRaw(service.url, bytes);
    expect(response.status).toBe(status);
    for (const [name, value] of protective) expect(response.text).toContain(`\r\n${name}: ${value}\r\n`);
  },
);

describe('CFG-04 another origin', () => {
  const allowed = async (given: string) =>
    (await ask('/api/workspaces', { headers: { origin: given } })).headers.get('access-control-allow-origin');

  test('is allowed only if it is listed exactly', async () => {
    expect(await allowed(origin)).toBe(origin);
    for (const other of [
      `${origin}.evil.com`,
      'https://PORTAL.example.com',
      'http://portal.example.com',
      'null',
    ]) {
      expect(await allowed(other)).toBeNull();
    }
  });
});

test('CFG-08 nothing for developers is served by default', async () => {
  for (const path of ['/docs', '/docs-json', '/openapi.json', '/metrics', '/debug']) {
    expect([path, (await ask(path)).status]).toEqual([path, 404]);
  }
});

test('ERR-02 ERR-05 an internal failure is a 500 without details, and gives no access', async () => {
  // Of somebody whose principal is not cached yet.
  const headers = { authorization: `Bearer ${(await service.asAdmin()).token}` };
  await service.database.query('ALTER TABLE sessions RENAME TO hidden_sessions');
  const answer = await ask('/api/workspaces', { headers });
  const text = await answer.text();
  await service.database.query('ALTER TABLE hidden_sessions RENAME TO sessions');
  expect(answer.status).toBe(500);
  expect(JSON.parse(text)).toMatchObject({ code: 'internal_error' });
  expect(text).not.toMatch(/sessions|relation|hidden|QueryFailed/);
  expect((await ask('/api/workspaces', { headers: signed() })).status).toBe(200);
});

test.each([
  ['false', /^max-age=\d{7,}$/],
  ['true', /^max-age=\d{7,}; includeSubDomains$/],
])(
  'HSTS includes subdomains only with HSTS_INCLUDE_SUBDOMAINS=true: %s (D16)',
  async (HSTS_INCLUDE_SUBDOMAINS, value) => {
    const own = await startService({ HSTS_INCLUDE_SUBDOMAINS });
    const headers = await Promise.all(
      ['/livez', '/api/nowhere', '/'].map(async (path) => (await fetch(own.url + path)).headers),
    );
    for (const each of headers) expect(each.get('strict-transport-security')).toMatch(value);
    await own.close();
  },
);

describe('C16 a page of another origin can read', () => {
  const listed = (headers: Headers): string[] =>
    (headers.get('access-control-expose-headers') ?? '').split(',').map((name) => name.trim().toLowerCase());

  test('every header of the service that its responses have', async () => {
    const headers = { ...signed(), origin };
    const key = { ...headers, ...json, 'idempotency-key': 'exposed-1' };
    const invite = () =>
      ask('/api/groups', { method: 'POST', headers: key, body: JSON.stringify({ name: 'Exposed' }) });
    const sent = [
      await ask('/api/workspaces?limit=1', { headers }),
      await ask('/api/audit-events', { headers: { ...headers, accept: 'text/csv' } }),
      await invite(),
      await invite(),
    ];
    const seen = (name: string) => sent.some((response) => response.headers.has(name));
    for (const name of ['etag', 'content-disposition', 'idempotency-replayed', 'location', 'x-request-id']) {
      expect([name, seen(name)]).toEqual([name, true]);
    }
    for (const response of sent) {
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
      expect(listed(response.headers)).toEqual(
        expect.arrayContaining([
          'etag',
          'content-disposition',
          'idempotency-replayed',
          'link',
          'retry-after',
        ]),
      );
    }
  });

  test('nothing from another origin than the configured ones', async () => {
    const response = await ask('/livez', { headers: { origin: 'https://evil.example' } });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});
