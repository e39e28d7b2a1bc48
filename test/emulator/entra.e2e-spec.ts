import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfidentialClientApplication } from '@azure/msal-node';
import { demoTenant } from '@vitrine/power-bi-emulator';
import { EmulatorClient, powerBiScope } from '../support/emulator-client.js';

let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

describe('POST /{tenant}/oauth2/v2.0/token', () => {
  test('issues a bearer token for the client secret', async () => {
    const { status, body } = await emulator.askEntra();
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, ext_expires_in: 3600 });
    expect(decoded(body.access_token)).toMatchObject({
      aud: 'https://analysis.windows.net/powerbi/api',
      iss: `https://sts.windows.net/${demoTenant.tenantId}/`,
      appid: demoTenant.clientId,
      tid: demoTenant.tenantId,
      idtyp: 'app',
    });
  });

  test('applies the configured token lifetime', async () => {
    await emulator.set({ entra_token_seconds: 120 });
    expect((await emulator.askEntra()).body.expires_in).toBe(120);
    await emulator.signIn();
    await emulator.advance(90);
    expect((await emulator.get('/groups')).status).toBe(200);
    await emulator.advance(30);
    const { status, headers, body } = await emulator.get('/groups');
    expect([status, headers.get('x-powerbi-error-info')]).toEqual([403, 'TokenExpired']);
    expect(body).toEqual({ error: { code: 'TokenExpired' } });
  });

  test.each([
    ['a wrong secret', { client_secret: 'guess' }, 401, 'invalid_client', 7000215],
    ['an unknown app', { client_id: crypto.randomUUID() }, 400, 'unauthorized_client', 700016],
    ['a foreign scope', { scope: 'https://graph.microsoft.com/.default' }, 400, 'invalid_scope', 70011],
    ['an unknown grant', { grant_type: 'on_behalf' }, 400, 'unsupported_grant_type', 70003],
    ['a missing grant', { grant_type: '' }, 400, 'invalid_request', 900144],
    ['a missing secret', { client_secret: '' }, 401, 'invalid_client', 7000216],
  ])('rejects %s', async (_what, change, status, error, number) => {
    const response = await emulator.askEntra(change);
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({
      error,
      error_codes: [number],
      error_uri: `https://login.microsoftonline.com/error?code=${number}`,
      trace_id: expect.any(String),
      correlation_id: expect.any(String),
      error_description: expect.stringMatching(
        new RegExp(`^AADSTS${number}: .* Trace ID: .* Correlation ID: .* Timestamp: \\d{4}-.*Z$`),
      ),
    });
  });

  test('rejects an unknown tenant', async () => {
    expect((await emulator.askEntra({}, crypto.randomUUID())).body).toMatchObject({ error_codes: [90002] });
    expect((await emulator.askEntra({}, 'common')).body).toMatchObject({ error_codes: [50059] });
  });
});

describe('msal-node', () => {
  function application(clientSecret: string): ConfidentialClientApplication {
    const authority = `https://login.microsoftonline.com/${demoTenant.tenantId}`;
    const token_endpoint = `${emulator.url}/${demoTenant.tenantId}/oauth2/v2.0/token`;
    const authorityMetadata = JSON.stringify({
      authorization_endpoint: `${authority}/oauth2/v2.0/authorize`,
      token_endpoint,
      issuer: `${authority}/v2.0`,
      jwks_uri: `${authority}/discovery/v2.0/keys`,
    });
    return new ConfidentialClientApplication({
      auth: { clientId: demoTenant.clientId, clientSecret, authority, authorityMetadata },
    });
  }

  test('gets a token over plain http that the API accepts', async () => {
    const msal = application(demoTenant.clientSecret);
    const result = await msal.acquireTokenByClientCredential({ scopes: [powerBiScope] });
    const headers = { Authorization: `Bearer ${result!.accessToken}` };
    expect((await fetch(`${emulator.url}/v1.0/myorg/groups`, { headers })).status).toBe(200);
  });

  test('parses an error response', async () => {
    const asked = application('wrong').acquireTokenByClientCredential({ scopes: [powerBiScope] });
    await expect(asked).rejects.toMatchObject({
      errorCode: 'invalid_client',
      errorNo: 7000215,
      status: 401,
    });
  });
});

describe('GET /{tenant}/v2.0/.well-known/openid-configuration', () => {
  test('returns the endpoints, and an issuer of the same origin', async () => {
    const path = `/${demoTenant.tenantId}/v2.0/.well-known/openid-configuration`;
    const { body } = await emulator.send<Record<string, string>>('GET', path);
    expect(body).toMatchObject({
      token_endpoint: `${emulator.url}/${demoTenant.tenantId}/oauth2/v2.0/token`,
      issuer: `${emulator.url}/${demoTenant.tenantId}/v2.0`,
    });
    const keys = await (await fetch(body.jwks_uri!)).json();
    expect(keys).toMatchObject({ keys: [{ kty: 'RSA', use: 'sig', alg: 'RS256' }] });
  });
});

function decoded(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
}
