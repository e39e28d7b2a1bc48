import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { asServiceAccount, Client } from '../support/client.js';
import { type ScimService, startScim } from './scim-service.js';

let running: ScimService;

beforeAll(async () => {
  running = await startScim();
});
afterAll(() => running.service.close());

const paths = ['/scim/v2/Users', '/scim/v2/ServiceProviderConfig', '/scim/v2/Schemas', '/scim/v2/Me'];
const account = (body: object) =>
  running.admin.post<{ id: string; client_secret: string; scopes: string[] }>('/api/service-accounts', {
    name: 'Provider',
    ...body,
  });
const withToken = (token: string) => new Client(running.service.url, token);

describe('the right to provision', () => {
  test.each(paths)('401 without a token: %s', async (path) => {
    const response = await running.service.api.get(path);
    expect(response.status).toBe(401);
    expect(response.headers.get('content-type')).toContain('application/scim+json');
    expect(response.body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
    expect(response.body.status).toBe('401');
  });

  test.each(paths)('403 for an admin: %s', async (path) => {
    expect((await running.admin.get(path)).status).toBe(403);
  });

  test('403 for a service account without the scope, admin or not', async () => {
    for (const role of ['member', 'admin']) {
      const { body } = await account({ role });
      expect((await withToken(body.client_secret).get('/scim/v2/Users')).status).toBe(403);
    }
  });

  test('an access token of the service account works as its secret does', async () => {
    const { body } = await account({ scopes: ['scim'] });
    const program = await asServiceAccount(running.service.url, body);
    expect((await program.get('/scim/v2/Users')).status).toBe(200);
  });

  test('the scope gives no right below /api, and the secret is no token there', async () => {
    const { body } = await account({ scopes: ['scim'] });
    expect((await withToken(body.client_secret).get('/api/users/me')).status).toBe(401);
    const program = await asServiceAccount(running.service.url, body);
    expect((await program.get('/api/users')).status).toBe(403);
  });

  test('ends when the scope is removed, the account disabled, or the secret revoked', async () => {
    const status = async (secret: string) => (await withToken(secret).get('/scim/v2/Users')).status;
    const first = (await account({ scopes: ['scim'] })).body;
    expect(first.scopes).toEqual(['scim']);
    await running.admin.patch(`/api/service-accounts/${first.id}`, { scopes: [] });
    expect(await status(first.client_secret)).toBe(403);
    await running.admin.patch(`/api/service-accounts/${first.id}`, { scopes: ['scim'] });
    expect(await status(first.client_secret)).toBe(200);
    await running.admin.patch(`/api/service-accounts/${first.id}`, { status: 'disabled' });
    expect(await status(first.client_secret)).toBe(401);
    const second = (await account({ scopes: ['scim'] })).body;
    await running.admin.delete(`/api/service-accounts/${second.id}`);
    expect(await status(second.client_secret)).toBe(401);
  });

  test('ends when the secret expires', async () => {
    const { body } = await account({ scopes: ['scim'], expires_in_days: 1 });
    await running.service.database.query(
      `UPDATE service_account_secrets SET expires_at = now() - interval '1 second' WHERE user_id = $1`,
      [body.id],
    );
    expect((await withToken(body.client_secret).get('/scim/v2/Users')).status).toBe(401);
  });

  test('wrong secrets are limited, but do not lock out a valid one from the same address', async () => {
    const limited = await startScim({ RATE_LIMIT_SIGN_IN_PER_IP: '30' });
    try {
      const { body } = await limited.admin.post<{ id: string; client_secret: string }>(
        '/api/service-accounts',
        { name: 'Removed', scopes: ['scim'] },
      );
      await limited.admin.delete(`/api/service-accounts/${body.id}`);
      const removed = new Client(limited.service.url, body.client_secret);
      const statuses: number[] = [];
      for (let n = 0; n < 12; n += 1) statuses.push((await removed.get('/scim/v2/Users')).status);
      expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
      expect((await limited.scim.get('/scim/v2/Users')).status).toBe(200);
    } finally {
      await limited.service.close();
    }
  });

  test('400 for an unknown scope', async () => {
    const response = await running.admin.post('/api/service-accounts', { name: 'x', scopes: ['root'] });
    expect(response.status).toBe(400);
    expect(JSON.stringify(response.body)).toContain('scopes');
  });
});

describe('discovery', () => {
  test('lists what is supported', async () => {
    const { body } = await running.scim.get('/scim/v2/ServiceProviderConfig');
    expect(body).toMatchObject({ patch: { supported: true }, bulk: { supported: false } });
  });

  test('every resource type names a schema that exists', async () => {
    const types = await running.scim.get<{ Resources: { schema: string; id: string }[] }>(
      '/scim/v2/ResourceTypes',
    );
    expect(types.body.Resources.map(({ id }) => id)).toEqual(['User', 'Group']);
    for (const { schema, id } of types.body.Resources) {
      const found = await running.scim.get<{ id: string }>(`/scim/v2/Schemas/${schema}`);
      expect(found.body.id).toBe(schema);
      expect((await running.scim.get(`/scim/v2/ResourceTypes/${id}`)).status).toBe(200);
    }
  });

  test.each([
    ['GET', '/scim/v2/Me', 501],
    ['POST', '/scim/v2/Bulk', 501],
    ['POST', '/scim/v2/.search', 501],
    ['GET', '/scim/v2/Schemas/unknown', 404],
  ])('%s %s: %i', async (method, path, status) => {
    const response = await running.scim.send(method, path, method === 'POST' ? { body: {} } : {});
    expect(response.status).toBe(status);
    expect(response.body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
  });

  // Found before a controller, or where there is none.
  test.each([
    ['malformed JSON', 400, 'invalidSyntax', 'POST', '/Users', { body: '{"userName":' }],
    ['a JSON string', 400, 'invalidSyntax', 'POST', '/Users', { body: '"x"' }],
    ['XML', 415, undefined, 'POST', '/Users', { body: '<a/>', headers: { 'content-type': 'text/xml' } }],
    [
      'a compressed body',
      415,
      undefined,
      'PUT',
      '/Users',
      { body: {}, headers: { 'content-encoding': 'gzip' } },
    ],
    ['a body of 3 MB', 413, undefined, 'PATCH', '/Groups', { body: { x: 'x'.repeat(3_000_000) } }],
    ['an ill-formed query', 400, 'invalidValue', 'GET', '/Users?filter=%ff', {}],
    ['an unknown path', 404, undefined, 'GET', '/Unknown', {}],
    ['an unknown path with a body', 404, undefined, 'POST', '/Unknown', { body: {} }],
    ['another method', 405, undefined, 'DELETE', '/Users', {}],
  ])('%s is a SCIM error: %i', async (_name, status, scimType, method, path, options) => {
    const response = await running.scim.send(method, `/scim/v2${path}`, options);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('application/scim+json');
    expect(response.body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      ...(scimType !== undefined && { scimType }),
      detail: expect.stringMatching(/\.$/),
    });
    expect(response.headers.get('allow')).toBe(status === 405 ? 'GET, HEAD, POST' : null);
  });

  test('a schema list cannot be filtered', async () => {
    const response = await running.scim.get('/scim/v2/Schemas?filter=id%20pr');
    expect(response.body).toMatchObject({ status: '400', scimType: 'invalidFilter' });
  });
});
