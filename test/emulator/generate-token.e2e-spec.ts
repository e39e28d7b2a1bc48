import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { demoPrincipalObjectId } from '@vitrine/power-bi-emulator';
import { EmulatorClient, type EmbedToken, type Report } from '../support/emulator-client.js';

let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

function ask(report: Pick<Report, 'id'> & Partial<Report>, more: object = {}) {
  const datasets = report.datasetId ? [{ id: report.datasetId }] : [];
  return emulator.post<EmbedToken>('/GenerateToken', { reports: [{ id: report.id }], datasets, ...more });
}

function identity(report: Report, more: object = {}) {
  return { identities: [{ username: 'ada@vitrine.example', datasets: [report.datasetId], ...more }] };
}

function refusal(message: string) {
  return { status: 400, body: { error: { code: 'InvalidRequest', message } } };
}

describe('POST /GenerateToken', () => {
  test('returns a token of two parts, its id and its expiry', async () => {
    const { status, body } = await ask(await emulator.report('Sales', 'Pipeline'));
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['token', 'tokenId', 'expiration']);
    expect(body.expiration).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const [first, second] = body.token.split('.');
    expect(first).toMatch(/^H4sIAAAAAAAEA[\w-]*=*$/);
    expect(gunzipSync(Buffer.from(first!, 'base64url')).length).toBeGreaterThan(100);
    expect(JSON.parse(Buffer.from(second!, 'base64').toString())).toEqual({
      clusterUrl: expect.any(String),
      exp: Date.parse(body.expiration) / 1000,
      allowAccessOverPublicInternet: true,
    });
  });

  test('issues no token that outlives the Entra token; lifetimeInMinutes only shortens it', async () => {
    const report = await emulator.report('Sales', 'Pipeline');
    const minutes = async (lifetimeInMinutes?: number | null) => {
      const { headers, body } = await ask(report, { lifetimeInMinutes });
      return Math.round((Date.parse(body.expiration) - Date.parse(headers.get('date')!)) / 60_000);
    };
    expect([await minutes(), await minutes(null), await minutes(0)]).toEqual([60, 60, 60]);
    expect([await minutes(10), await minutes(600)]).toEqual([10, 60]);
    await emulator.advance(45 * 60);
    expect([await minutes(), await minutes(10), await minutes(30)]).toEqual([15, 10, 15]);
  });

  test('rejects a negative lifetime', async () => {
    const response = await ask(await emulator.report('Sales', 'Pipeline'), { lifetimeInMinutes: -1 });
    expect(response).toMatchObject(refusal('Parameter lifetimeInMinutes is missing or invalid'));
  });

  test('requires read access by XMLA to the dataset of a paginated report, which is a guess', async () => {
    const report = await emulator.report('Sales', 'Order confirmation');
    const { body } = await ask(report);
    expect(body).toMatchObject({ error: { message: expect.stringContaining('xmlaPermissions') } });
    const asIn = (xmlaPermissions: string) =>
      ask(report, { datasets: [{ id: report.datasetId, xmlaPermissions }] });
    expect((await asIn('Off')).status).toBe(400);
    expect((await asIn('ReadOnly')).status).toBe(200);
    const other = await emulator.report('Sales', 'Pipeline');
    const both = { reports: [{ id: report.id }, { id: other.id }] };
    const datasets = (xmlaPermissions?: string) => [
      { id: report.datasetId, xmlaPermissions },
      ...(other.datasetId === report.datasetId ? [] : [{ id: other.datasetId }]),
    ];
    expect((await ask(report, { ...both, datasets: datasets() })).status).toBe(400);
    expect((await ask(report, { ...both, datasets: datasets('ReadOnly') })).status).toBe(200);
    await emulator.set({ guesses: { paginated_without_xmla: 'issued' } });
    expect((await ask(report)).status).toBe(200);
  });

  test('accepts a paginated report without a dataset', async () => {
    expect((await ask(await emulator.report('Finance', 'Invoice register'))).status).toBe(200);
  });

  test('rejects a Viewer', async () => {
    const report = await emulator.report('Partners', 'Partner scorecard');
    expect(await ask(report)).toMatchObject({
      status: 401,
      body: { error: { code: 'PowerBINotAuthorizedException' } },
    });
    await emulator.set({ guesses: { viewer_generate_token: 'allowed' } });
    expect((await ask(report)).status).toBe(200);
  });

  test('rejects reports without a role, and unknown reports', async () => {
    expect((await ask({ id: 'b0000008-0000-4000-8000-000000000001' })).status).toBe(401);
    expect((await ask({ id: 'b0000009-0000-4000-8000-000000000001' })).status).toBe(401);
    expect((await ask({ id: crypto.randomUUID() })).status).toBe(404);
    expect((await ask({ id: 'no-guid' })).status).toBe(400);
  });

  test('rejects more than fifty items, and an empty request', async () => {
    const { id } = await emulator.report('Sales', 'Pipeline');
    const reports = Array.from({ length: 51 }, () => ({ id }));
    expect((await emulator.post('/GenerateToken', { reports })).status).toBe(400);
    expect((await emulator.post('/GenerateToken', { reports: reports.slice(1) })).status).toBe(200);
    expect((await emulator.post('/GenerateToken', {})).status).toBe(400);
  });

  test('requires a Content-Type', async () => {
    const response = await emulator.post('/GenerateToken', {}, { 'Content-Type': '' });
    expect(response.status).toBe(400);
    expect(response.text).toContain('The request contains an entity body but no Content-Type header');
  });

  test('accepts an auditable context, which is a text', async () => {
    const report = await emulator.report('Sales', 'My customers');
    expect((await ask(report, identity(report, { auditableContext: 'ada' }))).status).toBe(200);
    expect(await ask(report, identity(report, { auditableContext: 7 }))).toMatchObject(
      refusal('AuditableContext is invalid in EffectiveIdentity'),
    );
  });
});

describe('row-level security', () => {
  test('requires an identity when the dataset does', async () => {
    const report = await emulator.report('Sales', 'My customers');
    const subject = `Creating embed token for accessing dataset ${report.datasetId}`;
    expect(await ask(report)).toMatchObject(refusal(`${subject} requires effective identity to be provided`));
    expect((await ask(report, identity(report))).status).toBe(200);
  });

  test('applies to the dataset of a report that is requested without it', async () => {
    const { id } = await emulator.report('Sales', 'My customers');
    expect((await emulator.post('/GenerateToken', { reports: [{ id }] })).status).toBe(400);
  });

  test('requires roles when the dataset does', async () => {
    const report = await emulator.report('Sales', 'My region');
    const subject = `Creating embed token for accessing dataset ${report.datasetId}`;
    expect(await ask(report, identity(report))).toMatchObject(
      refusal(`${subject} requires roles to be included in provided effective identity`),
    );
    expect((await ask(report, identity(report, { roles: ['Europe'] }))).status).toBe(200);
    expect((await ask(report, identity(report, { roles: ['Nowhere'] }))).status).toBe(200);
  });

  test('rejects an identity when the dataset has no row-level security', async () => {
    const report = await emulator.report('Sales', 'Pipeline');
    expect(await ask(report, identity(report))).toMatchObject(
      refusal(
        `Creating embed token for accessing dataset ${report.datasetId} shouldn't have effective identity`,
      ),
    );
  });

  test.each([
    ['without datasets', { datasets: [] }, 'DatasetId is required for any EffectiveIdentity'],
    ['without a username', { username: undefined }, 'Username is missing or invalid in EffectiveIdentity'],
    ['with a space', { username: 'a b' }, 'Username is missing or invalid in EffectiveIdentity'],
    [
      'of 257 characters',
      { username: 'x'.repeat(257) },
      'Username is missing or invalid in EffectiveIdentity',
    ],
    ['with a comma in a role', { roles: ['a,b'] }, 'Roles are invalid in EffectiveIdentity'],
    ['with 51 roles', { roles: Array(51).fill('r') }, 'Roles are invalid in EffectiveIdentity'],
  ])('rejects an identity %s', async (_what, change, message) => {
    const report = await emulator.report('Sales', 'My customers');
    expect(await ask(report, identity(report, change))).toMatchObject(refusal(message));
  });
});

describe('a dataset in another workspace than its report', () => {
  const group = 'a0000001-0000-4000-8000-000000000000';
  const id = 'b0000001-0000-4000-8000-000000000001';
  const datasetId = 'c0000002-0000-4000-8000-000000000001';

  test.each([
    ['/GenerateToken', { reports: [{ id }] }],
    ['/GenerateToken', { reports: [{ id }], datasets: [{ id: datasetId }] }],
    [`/groups/${group}/reports/${id}/GenerateToken`, {}],
    [`/groups/${group}/reports/GenerateToken`, { accessLevel: 'Create', datasetId }],
  ])('requires Member of both workspaces: %s %j', async (path, body) => {
    const statusAs = async (groupUserAccessRight: string) => {
      const principal = { identifier: demoPrincipalObjectId, principalType: 'App', groupUserAccessRight };
      const workspaces = [{ reports: [{ id, datasetId }] }, { members: [principal], datasets: [{}] }];
      expect((await emulator.control('POST', '/content', { workspaces })).status).toBeLessThan(300);
      return (await emulator.post(path, body)).status;
    };
    expect([await statusAs('None'), await statusAs('Viewer'), await statusAs('Member')]).toEqual([
      401, 401, 200,
    ]);
  });
});

describe('shared capacity', () => {
  test('issues the number of tokens in its quota', async () => {
    await emulator.set({ shared_capacity_quota: 2 });
    const report = await emulator.report('Trials', 'Trial dashboard');
    expect([(await ask(report)).status, (await ask(report)).status]).toEqual([200, 200]);
    const third = await ask(report);
    expect(third.status).toBe(403);
    expect(third.text).toContain(
      'You have exceeded the amount of embed token that can be generated on a shared or ProPlus capacity',
    );
    expect((await ask(await emulator.report('Sales', 'Pipeline'))).status).toBe(200);
  });

  test('counts tokens for datasets without a report', async () => {
    await emulator.set({ shared_capacity_quota: 1 });
    const { id } = await emulator.dataset('Trials', 'Trial sales');
    const statusFor = async (datasets: object[]) =>
      (await emulator.post('/GenerateToken', { datasets })).status;
    expect([await statusFor([{ id }]), await statusFor([{ id }])]).toEqual([200, 403]);
    const onCapacity = await emulator.dataset('Sales', 'Sales');
    expect(await statusFor([{ id: onCapacity.id }])).toBe(200);
  });
});

describe('the V1 calls', () => {
  const path = ({ groupId, id }: Report) => `/groups/${groupId}/reports/${id}/GenerateToken`;

  test('issue a token for one report, under the same rules', async () => {
    const plain = await emulator.report('Sales', 'Pipeline');
    for (const accessLevel of ['Edit', 'view', 'VIEW']) {
      expect((await emulator.post(path(plain), { accessLevel })).status).toBe(200);
    }
    expect((await emulator.post(path(plain), { accessLevel: 'All' })).status).toBe(400);
    const secured = await emulator.report('Sales', 'My customers');
    expect((await emulator.post(path(secured), { accessLevel: 'View' })).text).toContain(
      'requires effective identity to be provided',
    );
    expect((await emulator.post(path(secured), identity(secured))).status).toBe(200);
  });

  test('accept one identity', async () => {
    const report = await emulator.report('Sales', 'My customers');
    const [one] = identity(report).identities;
    expect(await emulator.post(path(report), { identities: [one, one] })).toMatchObject(
      refusal('Creating embed token with multiple identities is not supported'),
    );
  });

  test('reject a Viewer', async () => {
    expect((await emulator.post(path(await emulator.report('Partners', 'Partner payouts')))).status).toBe(
      401,
    );
  });
});
