import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demoTenant } from '@vitrine/power-bi-emulator';
import { EmulatorClient } from '../support/emulator-client.js';

let emulator: EmulatorClient;
const { tenantId } = demoTenant;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
afterAll(() => emulator.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  emulator.send<Record<string, unknown>>('GET', path, undefined, headers);

describe('discovery', () => {
  test('of instances names the clouds and where to continue', async () => {
    const endpoint = 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize';
    const path = `/common/discovery/instance?api-version=1.1&authorization_endpoint=${endpoint}`;
    const { status, body } = await get(path);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      tenant_discovery_endpoint:
        'https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration',
      metadata: expect.arrayContaining([
        expect.objectContaining({
          preferred_network: 'login.microsoftonline.com',
          preferred_cache: 'login.windows.net',
        }),
      ]),
    });
    const own = `/common/discovery/instance?authorization_endpoint=${emulator.url}/common/oauth2/authorize`;
    expect((await get(own)).status).toBe(200);
  });

  test.each(['https://login.example.com/common/oauth2/v2.0/authorize', 'x'])(
    'of the unknown instance %s is refused',
    async (endpoint) => {
      const answer = await get(`/common/discovery/instance?authorization_endpoint=${endpoint}`);
      expect([answer.status, answer.body.error, answer.body.error_codes]).toEqual([
        400,
        'invalid_instance',
        [50049],
      ]);
    },
  );

  test.each(['/v2.0', ''])('of an unknown tenant is refused (%s)', async (version) => {
    const answer = await get(`/${crypto.randomUUID()}${version}/.well-known/openid-configuration`);
    expect([answer.status, answer.body.error, answer.body.error_codes]).toEqual([
      400,
      'invalid_tenant',
      [90002],
    ]);
  });

  test.each([
    [`/${tenantId}/v2.0`, (origin: string) => `${origin}/${tenantId}/v2.0`, '/oauth2/v2.0/token'],
    ['/common/v2.0', (origin: string) => `${origin}/{tenantid}/v2.0`, '/oauth2/v2.0/token'],
    [`/${tenantId}`, () => `https://sts.windows.net/${tenantId}/`, '/oauth2/token'],
  ])('%s: the issuer and the endpoints follow the host', async (base, issuer, token) => {
    const local = emulator.url.replace('127.0.0.1', 'localhost');
    for (const origin of [emulator.url, local]) {
      const { body } = await (async () => {
        const response = await fetch(`${origin}${base}/.well-known/openid-configuration`);
        return { body: (await response.json()) as Record<string, string> };
      })();
      expect(body.issuer).toBe(issuer(origin));
      expect(body.token_endpoint).toBe(`${origin}/${base.split('/')[1]}${token}`);
      expect((await fetch(body.jwks_uri!)).status).toBe(200);
    }
  });

  test('of keys: tokens name the certificate of the key', async () => {
    const { body } = await get(`/${tenantId}/discovery/v2.0/keys`);
    const [key] = body.keys as { kid: string; x5t: string; x5c: string[] }[];
    const certificate = new X509Certificate(Buffer.from(key!.x5c[0]!, 'base64'));
    const sha1 = Buffer.from(certificate.fingerprint.replaceAll(':', ''), 'hex').toString('base64url');
    const token = (await emulator.askEntra()).body.access_token;
    const [header, claims] = token
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>);
    expect([header!.x5t, header!.kid, key!.kid]).toEqual([sha1, sha1, sha1]);
    expect(claims!.nbf).toBe(claims!.iat);
  });

  test.each([
    ['dana@vitrine.example', 'Managed'],
    ['dana@elsewhere.example', 'Unknown'],
  ])('of the user %s: %s', async (user, type) => {
    const { body } = await get(`/common/UserRealm/${user}?api-version=1.0`);
    expect(body).toMatchObject({ ver: '1.0', account_type: type });
  });
});

describe('a path that Entra does not have', () => {
  test.each(['/common/nothing', `/${tenantId}/oauth2/v2.0/nothing`])(
    '%s is a 404 with JSON',
    async (path) => {
      const { status, headers } = await get(path);
      expect([status, headers.get('content-type')]).toEqual([404, expect.stringContaining('json')]);
    },
  );

  test('GET of the token endpoint is refused', async () => {
    const { status, body } = await get(`/${tenantId}/oauth2/v2.0/token`);
    expect([status, body.error_codes]).toEqual([400, [900561]]);
  });
});

test('GET /__emulator returns the address and the credentials', async () => {
  const { body } = await get('/__emulator');
  expect(body).toMatchObject({
    address: emulator.url,
    tenant: tenantId,
    client_id: demoTenant.clientId,
    client_secret: demoTenant.clientSecret,
  });
});
