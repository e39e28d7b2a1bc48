import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from './support/client.js';
import { type Service, startService } from './support/service.js';

let service: Service;
let admin: Client;

beforeAll(async () => {
  service = await startService();
  admin = await service.asAdmin();
});
afterAll(() => service.close());

const token = (body: string, headers: Record<string, string> = {}) =>
  service.api.post('/api/auth/token', body, headers);

/** What `fetch` would not send, with the answer's status and body. */
const raw = (path: string, headers: Record<string, string>): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(new URL(service.url), { path, headers }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.on('error', reject).end();
  });

describe('a problem', () => {
  test('is problem+json with exactly these members, with no-store and the request id', async () => {
    const { status, headers, body } = await admin.get('/api/nowhere');
    expect(status).toBe(404);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json\b/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      type: 'urn:vitrine:problem:route_not_found',
      title: 'Route not found',
      status: 404,
      detail: 'This path does not exist.',
      instance: '/api/nowhere',
      code: 'route_not_found',
      request_id: headers.get('x-request-id'),
    });
  });

  test('ERR-07 uses the request id of the request, if it is well-formed', async () => {
    const idFor = async (given: string) =>
      (await admin.get('/api/nowhere', { 'x-request-id': given })).body.request_id;
    expect(await idFor('trace-7_A.b')).toBe('trace-7_A.b');
    for (const given of ['a b', '<script>', 'x'.repeat(65), 'é']) {
      expect(await idFor(given)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    }
  });

  test('has the right status for HEAD and OPTIONS', async () => {
    expect((await fetch(new URL('/livez', service.url), { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(new URL('/api/nowhere', service.url), { method: 'HEAD' })).status).toBe(404);
  });
});

describe('400', () => {
  test.each(['{', '{"email": }', '{"a":1}}', "{'a': 1}", '\u0000', 'undefined'])(
    'IN-03 malformed_json: %j',
    async (body) => {
      const answer = await token(body);
      expect(answer).toMatchObject({ status: 400, body: { code: 'malformed_json' } });
      expect(answer.body.detail).toBe('The body could not be parsed as JSON.');
    },
  );

  test('invalid_request: every invalid value with a pointer, unknown ones with the supported names', async () => {
    const answer = await admin.post('/api/users/invite', {
      email: 'ada@example.com',
      'a/b~c': 1,
      workspaces: [{ workspace_id: 'x', role: 'viewer', until: 'tomorrow' }],
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(answer.body.errors).toEqual(
      expect.arrayContaining([
        { pointer: '/workspaces/0/workspace_id', detail: 'workspace_id must be a UUID' },
        {
          pointer: '/workspaces/0/until',
          detail: 'until is not supported; supported: workspace_id, role, expires_at',
        },
        {
          pointer: '/a~1b~0c',
          detail:
            'a/b~c is not supported; supported: email, name, role, message, workspaces, reports, groups',
        },
      ]),
    );
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'IN-08 invalid_request: a body with %s, at any depth',
    async (name) => {
      const grant = `{"workspace_id": "x", "role": "viewer", "${name}": {}}`;
      const bodies: [string, string][] = [
        [`{"email": "ada@example.com", "${name}": {"role": "admin"}}`, `/${name}`],
        [`{"email": "ada@example.com", "workspaces": [${grant}]}`, `/workspaces/0/${name}`],
      ];
      for (const [body, pointer] of bodies) {
        const answer = await admin.post('/api/users/invite', body);
        expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
        expect(answer.body.errors).toEqual([
          { pointer, detail: expect.stringContaining(`${name} is not supported`) },
        ]);
      }
      const signIn = await token(`{"email": "ada@example.com", "password": "x", "${name}": 1}`);
      expect(signIn).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    },
  );

  test.each([
    ['[', ']', ''],
    ['{"a":', '}', '1'],
  ])('IN-07 deeply nested bodies: %s', async (opening, closing, inner) => {
    const nested = (levels: number) => `${opening.repeat(levels)}${inner}${closing.repeat(levels)}`;
    for (const levels of [21, 1000, 16_000]) {
      const body = `{"email": "ada@example.com", "workspaces": [${nested(levels)}]}`;
      const answer = await admin.post('/api/users/invite', body);
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      const withKey = await admin.post('/api/users/invite', body, { 'Idempotency-Key': `nested-${levels}` });
      expect(withKey).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
    expect((await token(`{"email": "a@example.com", "password": ${nested(2000)}}`)).status).toBe(400);
  });

  test.each([
    ['refresh_token', 'refresh_token', {}],
    ['invitation', 'invitation_token', { password: 'correct horse battery' }],
    ['password_reset', 'reset_token', { password: 'correct horse battery' }],
    ['authorization_code', 'code', { code_verifier: 'v'.repeat(43) }],
    ['client_credentials', 'client_id', { client_secret: 'x' }],
  ])('invalid_request: NUL or a lone surrogate in the %s grant', async (grant_type, name, others) => {
    for (const text of ['a\u0000b', '\ud800']) {
      const answer = await token(JSON.stringify({ grant_type, [name]: text, ...others }));
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(answer.body.errors).toEqual([{ pointer: `/${name}`, detail: expect.stringContaining('NUL') }]);
    }
  });

  test('contains no class or file names', async () => {
    const responses = [
      await token('{}'),
      await token('[]'),
      await admin.post('/api/users/invite', []),
      await admin.post('/api/users/invite', { workspaces: [7, null, [], {}] }),
      await admin.post('/api/users/invite', '{'),
      await admin.get('/api/reports?workspace_id=x&y=1'),
    ];
    for (const { status, body } of responses) {
      expect(status).toBe(400);
      expect(JSON.stringify(body)).not.toMatch(/Dto|Grant\b|Query|Param|class|node_modules|\.js|\.ts/);
    }
  });

  test.each(['/api/reports/%', '/%C3%28', '/api/workspaces?q=%E0%A4%A'])('%s', async (path) => {
    const answer = await raw(path, { authorization: `Bearer ${admin.token}` });
    expect(answer.status).toBeLessThan(500);
    expect(answer.body).not.toMatch(/at .*\.js|URIError/);
  });
});

describe('401', () => {
  test('names the authentication scheme', async () => {
    for (const answer of [
      await service.api.get('/api/workspaces'),
      await new Client(service.url, 'x.y.z').get('/api/workspaces'),
    ]) {
      expect(answer).toMatchObject({ status: 401, body: { code: 'authentication_required' } });
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="vitrine"/);
    }
  });

  test('precedes the validation of the request', async () => {
    expect((await service.api.get('/api/workspaces/7?x=1')).status).toBe(401);
    expect((await service.api.post('/api/users/invite', { role: 'root' })).status).toBe(401);
  });
});

describe('403', () => {
  test('precedes the validation of the body', async () => {
    const member = await service.as(await service.factory.user());
    const answer = await member.put('/api/datasets/7/identity-policy', { nonsense: true });
    expect(answer).toMatchObject({ status: 403, body: { code: 'access_denied' } });
  });
});

describe('404 and 405', () => {
  test.each(['/api', '/api/', '/api/v1/workspaces', '/index.html', '/.env', '/api//workspaces'])(
    '404: GET %s',
    async (path) => {
      expect(await admin.get(path)).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
    },
  );

  test.each([
    ['DELETE', '/api/workspaces', 'GET, HEAD'],
    ['GET', '/api/auth/token', 'POST'],
    ['PUT', '/api/users/invite', 'POST'],
    ['POST', '/livez', 'GET, HEAD'],
  ])('405: %s %s', async (method, path, allow) => {
    const answer = await admin.send(method, path, {});
    expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(answer.headers.get('allow')).toContain(allow);
  });
});

describe('413 and 415', () => {
  test('413: the sign-in body limit is smaller than the general one', async () => {
    const large = JSON.stringify({ email: 'x'.repeat(17_000) });
    expect(await token(large)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
    expect((await admin.post('/api/users/invite', large)).status).toBe(400);
    const larger = JSON.stringify({ email: 'x'.repeat(103_000) });
    expect((await admin.post('/api/users/invite', larger)).status).toBe(413);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/xml',
    '',
  ])('415: %j', async (type) => {
    expect(await token('{}', { 'content-type': type })).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    });
  });

  test('415: another charset, and compressed bodies', async () => {
    const type = 'application/json; charset=latin1';
    expect((await token('{}', { 'content-type': type })).status).toBe(415);
    for (const encoding of ['gzip', 'br', 'x']) {
      expect((await token('{}', { 'content-encoding': encoding })).status).toBe(415);
    }
  });

  test('the charset UTF-8 is accepted', async () => {
    const type = 'application/json; charset=utf-8';
    expect((await token('{}', { 'content-type': type })).body.code).toBe('invalid_request');
  });
});

describe('431', () => {
  test('for a header that is too large', async () => {
    expect((await raw('/livez', { 'x-large': 'x'.repeat(40_000) })).status).toBe(431);
  });
});
