import type { IncomingMessage } from 'node:http';
import { Logger } from '@nestjs/common';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { importX509, jwtVerify } from 'jose';
import { text } from 'node:stream/consumers';
import { generate } from 'selfsigned';
import { demoTenant } from '@vitrine/power-bi-emulator';
import type { PowerBiCredential } from '../../src/core/config/power-bi.config.js';
import { PowerBiService } from '../../src/power-bi/power-bi.service.js';
import { startFaultyServer } from './faulty-server.js';
import { configOf, powerBiFixture } from './power-bi-fixture.js';

const closing: { close(): Promise<void> }[] = [];
beforeAll(() => Logger.overrideLogger(false));
afterEach(async () => {
  for (const each of closing.splice(0).toReversed()) await each.close();
});

const DAY = 86_400_000;

async function certificate(days: number) {
  const notAfterDate = new Date(Date.now() + days * DAY);
  const pair = await generate([{ name: 'commonName', value: 'vitrine' }], {
    algorithm: 'sha256',
    notAfterDate,
  });
  return { cert: pair.cert, pem: `${pair.private}\n${pair.cert}` };
}

/** Takes any token request and hands it on to the test; a Power BI that says which token it was shown. */
async function cloud(
  onTokenRequest: (url: string, headers: NodeJS.Dict<unknown>, body: string) => Promise<object>,
) {
  const shown: unknown[] = [];
  const answer = async (request: IncomingMessage): Promise<object> => {
    if (!request.url?.startsWith('/v1.0/')) {
      return onTokenRequest(String(request.url), request.headers, await text(request));
    }
    shown.push(request.headers.authorization);
    return { value: [] };
  };
  const server = await startFaultyServer((request, response) => {
    answer(request).then(
      (body) => response.end(JSON.stringify(body)),
      () => response.destroy(),
    );
  });
  closing.push(server);
  return { url: server.url, shown };
}

function clientOf(url: string, credential: PowerBiCredential): PowerBiService {
  const powerBi = new PowerBiService(configOf(url, { credential }));
  closing.push({ close: () => powerBi.onApplicationShutdown() });
  return powerBi;
}

describe('credentials', () => {
  test('a certificate signs an assertion that its public key verifies', async () => {
    const { cert, pem } = await certificate(365);
    let assertion = '';
    const { url, shown } = await cloud(async (_url, _headers, body) => {
      const form = new URLSearchParams(body);
      assertion = String(form.get('client_assertion'));
      expect(form.get('client_secret')).toBeNull();
      return { token_type: 'Bearer', expires_in: 3600, access_token: 'by-certificate' };
    });
    await clientOf(url, { kind: 'certificate', pem }).listWorkspaces();
    const { payload } = await jwtVerify(assertion, await importX509(cert, 'PS256'), { clockTolerance: 5 });
    expect(payload).toMatchObject({
      iss: demoTenant.clientId,
      sub: demoTenant.clientId,
      aud: `${url}/${demoTenant.tenantId}/oauth2/v2.0/token`,
    });
    expect(shown).toEqual(['Bearer by-certificate']);
  });

  test('a managed identity calls the endpoint of its host', async () => {
    const asked: unknown[] = [];
    const { url, shown } = await cloud(async (path, headers) => {
      asked.push([path, headers['x-identity-header']]);
      const expires = Math.floor(Date.now() / 1000) + 86_400;
      return {
        access_token: 'by-identity',
        expires_on: String(expires),
        token_type: 'Bearer',
        resource: 'x',
      };
    });
    process.env.IDENTITY_ENDPOINT = `${url}/msi/token`;
    process.env.IDENTITY_HEADER = 'proof';
    try {
      await clientOf(url, { kind: 'managed_identity' }).listWorkspaces();
    } finally {
      delete process.env.IDENTITY_ENDPOINT;
      delete process.env.IDENTITY_HEADER;
    }
    const resource = 'resource=https%3A%2F%2Fanalysis.windows.net%2Fpowerbi%2Fapi';
    expect(asked).toEqual([[expect.stringContaining(resource), 'proof']]);
    expect(shown).toEqual(['Bearer by-identity']);
  });

  test('that expire soon are reported', async () => {
    const { pem } = await certificate(10);
    const { url } = await cloud(async () => ({ token_type: 'Bearer', expires_in: 3600, access_token: 'x' }));
    const ending = {
      status: 'degraded',
      detail: expect.stringMatching(/certificate expires in (9|10) days/),
    };
    expect(await clientOf(url, { kind: 'certificate', pem }).status()).toEqual(ending);
    const secret = (days: number): PowerBiCredential => ({
      kind: 'secret',
      secret: 'x',
      expiresAt: new Date(Date.now() + days * DAY),
    });
    expect(await clientOf(url, secret(40)).status()).toEqual({ status: 'ok' });
    for (const [days, text] of [
      [1.5, 'expires in 1 day'],
      [0.5, 'expires in less than a day'],
      [-1, 'has expired'],
    ] as const)
      expect(await clientOf(url, secret(days)).status()).toMatchObject({
        detail: `The client secret ${text}`,
      });
  });
});

describe('the status', () => {
  test('calls Power BI once for concurrent requests', async () => {
    const fixture = await powerBiFixture();
    closing.push(fixture);
    const all = await Promise.all(Array.from({ length: 50 }, () => fixture.powerBi.status()));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['ok']));
    expect(await fixture.calls(/groups$/)).toHaveLength(1);
  });

  test('distinguishes rejected credentials and throttling from an outage', async () => {
    const fixture = await powerBiFixture({ config: { credential: { kind: 'secret', secret: 'wrong' } } });
    closing.push(fixture);
    expect(await fixture.powerBi.status()).toEqual({
      status: 'down',
      detail: expect.stringContaining('invalid_client'),
    });
    const other = await powerBiFixture();
    closing.push(other);
    await other.fault({ path: 'groups', retry_after: 30 });
    expect(await other.powerBi.status()).toMatchObject({ status: 'degraded' });
    expect(await other.powerBi.status()).toMatchObject({
      detail: 'Power BI is throttling requests for 30 s',
    });
  });
});
