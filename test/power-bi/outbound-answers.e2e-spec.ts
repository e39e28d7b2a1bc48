import { inspect } from 'node:util';
import { createServer as createTlsServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { generate } from 'selfsigned';
import { demoTenant } from '@vitrine/power-bi-emulator';
import { startFaultyServer } from './faulty-server.js';
import { powerBiFixture, revenue, sales } from './power-bi-fixture.js';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of closing.splice(0).toReversed()) await each.close();
});

async function fixtureOf(options: Parameters<typeof powerBiFixture>[0] = {}) {
  const fixture = await powerBiFixture(options);
  closing.push(fixture);
  return fixture;
}

/** A Power BI that gives one and the same body to everything. */
async function fixtureResponding(body: string | Buffer) {
  const server = await startFaultyServer((_request, response) => response.end(body));
  closing.push(server);
  return fixtureOf({ config: { apiUrl: server.url } });
}

const notAuthorized = { error: { code: 'PowerBINotAuthorizedException' } };
const quota =
  'You have exceeded the amount of embed token that can be generated on a shared or ProPlus capacity.';
const refusals: [name: string, fault: Record<string, unknown>, code: string][] = [
  ['no role in the workspace', { status: 401, body: notAuthorized }, 'power_bi_access_denied'],
  [
    'tenant switch off',
    { status: 401, headers: { 'x-powerbi-error-info': 'ServicePrincipalIsNotAllowedByTenantAdminSwitch' } },
    'power_bi_access_denied',
  ],
  [
    'app without access',
    { status: 403, body: { Message: 'API is not accessible for application' } },
    'power_bi_access_denied',
  ],
  [
    'quota of shared capacity',
    { status: 403, body: { error: { code: 'x', message: quota } } },
    'power_bi_capacity_exhausted',
  ],
  [
    'a missing report',
    { status: 404, body: { error: { code: 'PowerBIEntityNotFound' } } },
    'power_bi_report_missing',
  ],
  [
    'another 400',
    { status: 400, body: { error: { code: 'InvalidRequest', message: 'no' } } },
    'power_bi_request_refused',
  ],
  ['408', { status: 408 }, 'power_bi_unavailable'],
  ['500', { status: 500, body: { Message: 'An error has occurred.' } }, 'power_bi_unavailable'],
  ['502 of a proxy', { status: 502, body: '<html>Bad gateway</html>' }, 'power_bi_unavailable'],
];

describe('error statuses', () => {
  test.each(refusals)('OUT-09 %s', async (_name, fault, code) => {
    const { powerBi, fault: arm } = await fixtureOf();
    await arm({ path: 'GenerateToken', ...fault });
    await expect(powerBi.generateToken(revenue)).rejects.toMatchObject({ code });
  });

  test('OUT-09 credentials that Entra rejects', async () => {
    const { powerBi } = await fixtureOf({ config: { credential: { kind: 'secret', secret: 'wrong' } } });
    await expect(powerBi.listWorkspaces()).rejects.toMatchObject({
      code: 'power_bi_access_denied',
      cause: { facts: { upstream: 'entra', upstreamCode: 'invalid_client' } },
    });
  });

  test.each([408, 503])('OUT-09 a %i of Entra is an outage', async (status) => {
    const { powerBi, fault } = await fixtureOf();
    await fault({ path: '/oauth2/', status });
    await expect(powerBi.listWorkspaces()).rejects.toMatchObject({
      code: 'power_bi_unavailable',
      cause: { facts: { upstream: 'entra', status } },
    });
  });

  test.each([{}, [], null, 'x', { message: 'maintenance' }, { error: 'x' }, { access_token: '' }])(
    'OUT-10 a response of Entra without a token is malformed: %j',
    async (body) => {
      const { powerBi, fault } = await fixtureOf();
      await fault({ path: '/oauth2/', status: 200, body: JSON.stringify(body) });
      await expect(powerBi.listWorkspaces()).rejects.toMatchObject({
        code: 'power_bi_unavailable',
        message: expect.stringContaining('Entra sent a malformed response'),
        cause: { failure: 'malformed', facts: { upstream: 'entra' } },
      });
    },
  );

  test('OUT-09 keep the ids and messages that Microsoft’s support requires', async () => {
    const { powerBi, fault } = await fixtureOf();
    const headers = { RequestId: 'c0ffee', 'x-powerbi-error-info': 'GroupNotAccessible' };
    await fault({ path: '/reports$', status: 401, headers });
    await expect(powerBi.listReports(sales)).rejects.toMatchObject({
      cause: { facts: { status: 401, upstreamRequestId: 'c0ffee', upstreamCode: 'GroupNotAccessible' } },
    });
  });
});

describe('responses', () => {
  const malformed = { code: 'power_bi_unavailable', cause: { failure: 'malformed' } };

  test.each([
    ['a body that is not JSON', '<html>'],
    ['a value that is not a list', '{"value": {}}'],
    ['an array', '[]'],
    ['null', 'null'],
    ['an item without an id', '{"value": [{"name": "x"}]}'],
    ['an id that is a path', '{"value": [{"id": "../../admin/groups", "name": "x"}]}'],
    ['nothing', ''],
  ])('OUT-10 %s is rejected', async (_name, body) => {
    const { powerBi } = await fixtureResponding(body);
    await expect(powerBi.listReports(sales)).rejects.toMatchObject(malformed);
  });

  test.each([
    ['without a token', { tokenId: sales, expiration: '2099-01-01T00:00:00Z' }],
    ['without an expiry', { token: 'x', tokenId: sales }],
    ['that has expired', { token: 'x', tokenId: sales, expiration: '2020-01-01T00:00:00Z' }],
  ])('OUT-10 an embed token %s is rejected', async (_name, body) => {
    const { powerBi } = await fixtureResponding(JSON.stringify(body));
    await expect(powerBi.generateToken(revenue)).rejects.toMatchObject(malformed);
  });

  test('OUT-10 more than 2 MB is not read to the end', async () => {
    let sent = 0;
    const server = await startFaultyServer((_request, response) => {
      const chunk = Buffer.alloc(64 * 1024, ' ');
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      };
      response.on('drain', more);
      more();
    });
    closing.push(server);
    const { powerBi } = await fixtureOf({ config: { apiUrl: server.url } });
    await expect(powerBi.generateToken(revenue)).rejects.toMatchObject({
      code: 'power_bi_unavailable',
      cause: { failure: 'too_large' },
    });
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  test('OUT-10 a list of 5,000 reports is accepted', async () => {
    const id = (n: number) => `b0000001-0000-4000-8000-${String(n).padStart(12, '0')}`;
    const value = Array.from({ length: 5000 }, (_, n) => ({
      id: id(n),
      name: `Report ${n}`,
      embedUrl: 'x'.repeat(900),
    }));
    const { powerBi } = await fixtureResponding(JSON.stringify({ value }));
    expect(await powerBi.listReports(sales)).toHaveLength(5000);
  });

  test('OUT-10 characters that PostgreSQL cannot store are removed, and ids are lower-cased', async () => {
    const value = [
      {
        id: 'B0000001-0000-4000-8000-00000000ABCD',
        name: 'A\0B\ud800',
        embedUrl: 'https://evil.example/reportEmbed',
      },
    ];
    const { powerBi } = await fixtureResponding(JSON.stringify({ value }));
    expect(await powerBi.listReports(sales)).toEqual([
      expect.objectContaining({
        pbiReportId: 'b0000001-0000-4000-8000-00000000abcd',
        name: 'AB\ufffd',
        embedUrl: '',
        pbiDatasetId: null,
      }),
    ]);
  });
});

describe('call targets', () => {
  test('OUT-11 a redirect is not followed', async () => {
    let reached = 0;
    const elsewhere = await startFaultyServer((_request, response) => {
      reached += 1;
      response.end('{"value": []}');
    });
    closing.push(elsewhere);
    const { powerBi, fault } = await fixtureOf();
    await fault({ path: '/reports$', status: 307, headers: { location: elsewhere.url } });
    await expect(powerBi.listReports(sales)).rejects.toMatchObject({ cause: { failure: 'redirected' } });
    await fault({ path: 'GenerateToken', status: 302, headers: { location: elsewhere.url } });
    await expect(powerBi.generateToken(revenue)).rejects.toMatchObject({ cause: { failure: 'redirected' } });
    expect(reached).toBe(0);
  });

  test('OUT-11 an untrusted certificate is rejected', async () => {
    let reached = 0;
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
    const server = createTlsServer({ key, cert }, () => (reached += 1)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push({ close: async () => void server.close() });
    const apiUrl = `https://localhost:${(server.address() as AddressInfo).port}`;
    const { powerBi } = await fixtureOf({ config: { apiUrl } });
    await expect(powerBi.listReports(sales)).rejects.toMatchObject({ code: 'power_bi_unavailable' });
    expect(reached).toBe(0);
  });

  test.each(['../admin/groups', `${sales}/../..`, '', 'x', `${sales}?a=b`, `${sales}\n`])(
    'OUT-12 %j is not a valid id and is not sent',
    async (id) => {
      const { powerBi, calls } = await fixtureOf();
      await expect(powerBi.listReports(id)).rejects.toThrow(TypeError);
      await expect(powerBi.listDatasets(id)).rejects.toThrow(TypeError);
      await expect(powerBi.generateToken({ ...revenue, reports: [id] })).rejects.toThrow(TypeError);
      await expect(powerBi.listWorkspaces({ profileId: id })).rejects.toThrow(TypeError);
      expect(await calls(/v1.0/)).toEqual([]);
    },
  );

  test('OUT-18 no URL and no error contains a secret or a token', async () => {
    const { powerBi, fault, calls } = await fixtureOf();
    await fault({ path: 'GenerateToken', status: 500 });
    const error = await powerBi.generateToken(revenue).catch((caught: unknown) => caught);
    const seen = inspect(error, { depth: 20, showHidden: true });
    expect(seen).not.toContain(demoTenant.clientSecret);
    expect(seen).not.toMatch(/bearer|eyJ/i);
    const made = JSON.stringify((await calls(/./)).map(({ path }) => path));
    expect(made).not.toMatch(/secret|eyJ/);
  });
});
