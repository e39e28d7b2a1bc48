import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { json } from 'node:stream/consumers';
import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  X509Certificate,
  type KeyObject,
} from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfidentialClientApplication, ManagedIdentityApplication } from '@azure/msal-node';
import { SignJWT } from 'jose';
import {
  demoIdentityHeader,
  demoTenant,
  realNames,
  startEmulator,
  type RunningEmulator,
} from '@vitrine/power-bi-emulator';
import { makeCertificate as makeX509, pemOf } from '../../packages/power-bi-emulator/core/certificate.js';
import { makeCertificate, type TestCertificate } from '../support/certificate.js';
import { EmulatorClient, powerBiScope, type AccessToken } from '../support/emulator-client.js';

let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

function signInWith({ thumbprintSha256, privateKey }: TestCertificate) {
  const authority = `https://login.microsoftonline.com/${demoTenant.tenantId}`;
  const authorityMetadata = JSON.stringify({
    authorization_endpoint: `${authority}/oauth2/v2.0/authorize`,
    token_endpoint: `${emulator.url}/${demoTenant.tenantId}/oauth2/v2.0/token`,
    issuer: `${authority}/v2.0`,
    jwks_uri: `${authority}/discovery/v2.0/keys`,
  });
  const clientCertificate = { thumbprintSha256, privateKey };
  const auth = { clientId: demoTenant.clientId, clientCertificate, authority, authorityMetadata };
  return new ConfidentialClientApplication({ auth }).acquireTokenByClientCredential({
    scopes: [powerBiScope],
  });
}

async function statusWith(accessToken: string): Promise<number> {
  return (await emulator.get('/groups', { Authorization: `Bearer ${accessToken}` })).status;
}

describe('a client certificate', () => {
  test('signs in when it is registered', async () => {
    const mine = await makeCertificate();
    const added = await emulator.control('POST', '/certificates', { certificate: mine.certificate });
    expect(added.status).toBe(201);
    expect(await statusWith((await signInWith(mine))!.accessToken)).toBe(200);
  });

  test('is rejected when it is unregistered or expired', async () => {
    const refusal = { errorCode: 'invalid_client', errorNo: 700027, status: 401 };
    await expect(signInWith(await makeCertificate())).rejects.toMatchObject(refusal);
    const old = await makeCertificate(new Date(Date.now() - 1000));
    await emulator.control('POST', '/certificates', { certificate: old.certificate });
    await expect(signInWith(old)).rejects.toMatchObject(refusal);
  });

  test('can be identified by the older SHA-1 thumbprint', async () => {
    const { certificate, privateKey } = await makeCertificate();
    await emulator.control('POST', '/certificates', { certificate });
    const signIn = async () => {
      const key = createPrivateKey(privateKey);
      const assertion = await new SignJWT({ jti: crypto.randomUUID() })
        .setProtectedHeader({
          alg: 'RS256',
          x5t: createHash('sha1').update(new X509Certificate(certificate).raw).digest('base64url'),
        })
        .setIssuer(demoTenant.clientId)
        .setSubject(demoTenant.clientId)
        .setAudience(`${emulator.url}/${demoTenant.tenantId}/oauth2/v2.0/token`)
        .setExpirationTime('10m')
        .sign(key);
      return (await emulator.askEntra({ client_assertion: assertion })).status;
    };
    expect(await signIn()).toBe(200);
    await emulator.set({ guesses: { sha1_thumbprint: 'refused' } });
    expect(await signIn()).toBe(401);
  });

  test('cannot be registered when it is invalid', async () => {
    expect((await emulator.control('POST', '/certificates', { certificate: 'no' })).status).toBe(400);
  });
});

describe('a managed identity', () => {
  test('gets a long-lived token from the App Service endpoint', async () => {
    Object.assign(process.env, {
      IDENTITY_ENDPOINT: `${emulator.url}/msi/token`,
      IDENTITY_HEADER: demoIdentityHeader,
    });
    const result = await new ManagedIdentityApplication().acquireToken({
      resource: 'https://analysis.windows.net/powerbi/api',
    });
    delete process.env.IDENTITY_ENDPOINT;
    delete process.env.IDENTITY_HEADER;
    expect(await statusWith(result.accessToken)).toBe(200);
    expect(Math.round((result.expiresOn!.getTime() - Date.now()) / 3_600_000)).toBe(24);
  });

  test('requires the identity header', async () => {
    const path =
      '/msi/token?api-version=2019-08-01&resource=https%3A%2F%2Fanalysis.windows.net%2Fpowerbi%2Fapi';
    expect((await emulator.send('GET', path)).status).toBe(401);
    const answer = await emulator.send('GET', path, undefined, { 'X-IDENTITY-HEADER': demoIdentityHeader });
    expect(answer.body).toMatchObject({ expires_on: expect.stringMatching(/^\d+$/), token_type: 'Bearer' });
  });

  test('is also supported at the metadata service of virtual machines', async () => {
    const path = '/metadata/identity/oauth2/token?api-version=2018-02-01&resource=';
    const resource = encodeURIComponent('https://analysis.windows.net/powerbi/api');
    expect((await emulator.send('GET', path + resource)).status).toBe(400);
    const metadata = { Metadata: 'true' };
    const { body } = await emulator.send<AccessToken>('GET', path + resource, undefined, metadata);
    expect(await statusWith(body.access_token)).toBe(200);
    expect((await emulator.send('GET', `${path}x`, undefined, metadata)).status).toBe(400);
  });
});

describe('other ways to get a token', () => {
  test('the v1 endpoint takes a resource and returns numbers as strings', async () => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: demoTenant.clientId,
      client_secret: demoTenant.clientSecret,
      resource: 'https://analysis.windows.net/powerbi/api',
    });
    const path = `/${demoTenant.tenantId}/oauth2/token`;
    const { body } = await emulator.send<AccessToken>('POST', path, form);
    expect(body).toMatchObject({ expires_in: '3600', token_type: 'Bearer' });
    expect(await statusWith(body.access_token)).toBe(200);
  });

  test.each(['analysis.usgovcloudapi.net', 'high.analysis.usgovcloudapi.net', 'analysis.chinacloudapi.cn'])(
    'the cloud of %s has its own scope',
    async (host) => {
      const { status, body } = await emulator.askEntra({ scope: `https://${host}/powerbi/api/.default` });
      expect([status, await statusWith(body.access_token)]).toEqual([200, 200]);
    },
  );

  test('an expired secret is distinguished from a wrong one', async () => {
    const seed = await emulator.control<{ principals: { secrets: object[] }[] }>('GET', '/content');
    const [principal] = seed.body.principals;
    principal!.secrets.push({ value: 'old', expiresAt: '2020-01-01T00:00:00Z' });
    await emulator.control('POST', '/content', seed.body);
    const { status, body } = await emulator.askEntra({ client_secret: 'old' });
    expect([status, body]).toMatchObject([401, { error: 'invalid_client', error_codes: [7000222] }]);
  });
});

describe("https under Microsoft's names", () => {
  const folder = mkdtempSync(join(tmpdir(), 'real-names-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const configurationOf = async (secure: RunningEmulator, host: string) => {
    const path = `/${demoTenant.tenantId}/v2.0/.well-known/openid-configuration`;
    const ca = readFileSync(secure.caFile!);
    const options = { ca, servername: host, headers: { host }, agent: false };
    const [response] = (await once(get(secure.url + path, options), 'response')) as [IncomingMessage];
    return json(response);
  };

  test('is trusted by the authority of the folder, which outlives a restart', async () => {
    const start = () => startEmulator({ realNames: { caFolder: folder } });
    const first = await start();
    const authority = readFileSync(first.caFile!, 'utf8');
    for (const host of realNames) {
      expect(await configurationOf(first, host)).toMatchObject({
        issuer: `https://${host}/${demoTenant.tenantId}/v2.0`,
        token_endpoint: `https://${host}/${demoTenant.tenantId}/oauth2/v2.0/token`,
      });
    }
    await first.close();
    const second = await start();
    expect(readFileSync(second.caFile!, 'utf8')).toBe(authority);
    await second.close();
    expect(statSync(join(folder, 'ca-key.pem')).mode & 0o777).toBe(0o600);
  });

  test('has an authority that can sign for these names only', async () => {
    const key = createPrivateKey(readFileSync(join(folder, 'ca-key.pem')));
    const { certificate, privateKey } = signedBy(key, 'login.example.com');
    const secure = await startEmulator({ tls: { key: privateKey, cert: certificate } });
    const options = { ca: readFileSync(join(folder, 'ca.pem')), servername: 'login.example.com' };
    await expect(once(get(secure.url, options), 'response')).rejects.toMatchObject({
      message: expect.stringContaining('permitted subtree'),
    });
    await secure.close();
  });
});

describe('https', () => {
  test('is served when the emulator is given a certificate', async () => {
    const { certificate, privateKey } = await makeCertificate();
    const secure = await startEmulator({ tls: { key: privateKey, cert: certificate } });
    const path = `/${demoTenant.tenantId}/v2.0/.well-known/openid-configuration`;
    const options = { ca: certificate, checkServerIdentity: () => undefined };
    const [response] = (await once(get(secure.url + path, options), 'response')) as [IncomingMessage];
    const configuration = await json(response);
    await secure.close();
    expect(configuration).toMatchObject({
      issuer: `${secure.url}/${demoTenant.tenantId}/v2.0`,
      token_endpoint: `${secure.url}/${demoTenant.tenantId}/oauth2/v2.0/token`,
    });
  });
});

function signedBy(key: KeyObject, host: string): { certificate: string; privateKey: string } {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const order = {
    name: host,
    publicKey: keys.publicKey,
    issuer: { name: 'Power BI emulator CA', key },
    notBefore: new Date(Date.now() - 3_600_000),
    notAfter: new Date(Date.now() + 3_600_000),
    hosts: [host],
    isAuthority: false,
  };
  const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { certificate: pemOf(makeX509(order)), privateKey };
}
