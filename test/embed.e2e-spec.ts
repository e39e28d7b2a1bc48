import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { Report } from '../src/reports/report.entity.js';
import { Workspace } from '../src/workspaces/workspace.entity.js';
import { asServiceAccount, comparable } from './support/client.js';
import { type Service, startService } from './support/service.js';

let service: Service;
let sales: Workspace;
let revenue: Report;

beforeAll(async () => {
  service = await startService();
  await service.sync();
  sales = await service.database.getRepository(Workspace).findOneByOrFail({ name: 'Sales' });
  revenue = await reportOf('Revenue overview');
});
afterAll(() => service.close());

const reportOf = (name: string) => service.database.getRepository(Report).findOneByOrFail({ name });
const path = ({ id }: { id: string }) => `/api/reports/${id}/embed-token`;

interface Calls {
  calls: { path: string; body: object }[];
}

/** What Power BI was asked last for an embed token. */
async function lastAsked(): Promise<object | undefined> {
  const { body } = await service.powerBi.get<Calls>('/__emulator/calls');
  return body.calls.findLast((call) => call.path.endsWith('/GenerateToken'))?.body;
}

const lastEvent = async (action: string) =>
  (
    await service.database.query(
      'SELECT outcome, details FROM audit_events WHERE action = $1 ORDER BY id DESC LIMIT 1',
      [action],
    )
  )[0];

describe('POST /api/reports/:id/embed-token', () => {
  test('AZ-08 200: exactly the fields of an embed token, with no-store', async () => {
    const { status, headers, body } = await (await service.asMember(sales)).post(path(revenue));
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      token: expect.stringMatching(/^.{100,}$/),
      token_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      expires_in: expect.any(Number),
      refresh_in: (body.expires_in as number) - 300,
      embed_url: expect.stringContaining(
        `${service.emulator.url}/reportEmbed?reportId=${revenue.pbiReportId}`,
      ),
      report_id: revenue.id,
      pbi_report_id: revenue.pbiReportId,
      access: 'view',
    });
    expect(body.expires_in).toBeGreaterThan(30 * 60);
    expect(body.expires_in).toBeLessThanOrEqual(3600);
  });

  test('AZ-06 200: requests this report and its dataset only, for viewing, with a lifetime', async () => {
    await (await service.asMember(sales)).post(path(revenue));
    expect(await lastAsked()).toEqual({
      reports: [{ id: revenue.pbiReportId, allowEdit: false }],
      datasets: [{ id: revenue.pbiDatasetId }],
      lifetimeInMinutes: 60,
    });
  });

  test.each([
    ['no body', undefined],
    ['an empty body', {}],
    ['the access view', { access: 'view' }],
  ])('200: %s', async (_name, body) => {
    const response = await (await service.asMember(sales)).post(path(revenue), body);
    expect(response).toMatchObject({ status: 200, body: { access: 'view' } });
  });

  test('200: a paginated report, which has no dataset', async () => {
    const invoices = await reportOf('Invoice register');
    const response = await (await service.asAdmin()).post(path(invoices));
    expect(response.status).toBe(200);
    expect(response.body.embed_url).toContain('/rdlEmbed?');
    expect(await lastAsked()).toMatchObject({ datasets: [] });
  });

  test('200: a paginated report over a dataset, with read access by XMLA as in the example of Microsoft', async () => {
    const paper = await reportOf('Order confirmation');
    expect((await (await service.asMember(sales)).post(path(paper))).status).toBe(200);
    expect(await lastAsked()).toMatchObject({
      reports: [{ id: paper.pbiReportId }],
      datasets: [{ id: paper.pbiDatasetId, xmlaPermissions: 'ReadOnly' }],
    });
    const check = await (await service.asAdmin()).get(`/api/reports/${paper.id}/embed-check`);
    expect(check).toMatchObject({ status: 200 });
    expect(JSON.stringify(check.body)).not.toContain('xmlaPermissions');
    expect(await lastAsked()).toMatchObject({ datasets: [{ xmlaPermissions: 'ReadOnly' }] });
  });

  test('200: editing, for an editor, a manager and an admin', async () => {
    const callers = [
      await service.asMember(sales, 'editor'),
      await service.asMember(sales, 'manager'),
      await service.asAdmin(),
    ];
    for (const caller of callers) {
      const response = await caller.post(path(revenue), { access: 'edit' });
      expect(response).toMatchObject({ status: 200, body: { access: 'edit' } });
      expect(await lastAsked()).toMatchObject({ reports: [{ allowEdit: true }] });
    }
  });

  test('200: the audit trail has the user and the token', async () => {
    const { body } = await (await service.asMember(sales)).post(path(revenue));
    expect(await lastEvent('embed_token_issued')).toEqual({
      outcome: 'allowed',
      details: { access: 'view', token_id: body.token_id },
    });
  });

  test.each([
    [{ access: 'own' }, '/access'],
    [{ access: ['view'] }, '/access'],
    [{ access: 'view', identity: { username: 'ceo@example.com' } }, '/identity'],
    [{ roles: ['Manager'] }, '/roles'],
  ])('400: %j', async (body, pointer) => {
    const response = await (await service.asMember(sales)).post(path(revenue), body);
    expect(response).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  test.each([[[]], ['"edit"'], ['null']])('400: a body that is not an object: %j', async (body) => {
    expect((await (await service.asMember(sales)).post(path(revenue), body)).status).toBe(400);
  });

  test('400: an invalid id', async () => {
    expect((await (await service.asAdmin()).post(path({ id: '7' }))).status).toBe(400);
  });

  test('401: without a token', async () => {
    expect((await service.api.post(path(revenue))).status).toBe(401);
  });

  test('403: editing as a viewer, even for an editor of another workspace', async () => {
    const ada = await service.factory.user();
    await service.factory.grant(ada, sales);
    await service.factory.grant(ada, await service.factory.workspace(), 'manager');
    const response = await (await service.as(ada)).post(path(revenue), { access: 'edit' });
    expect(response).toMatchObject({ status: 403, body: { code: 'access_denied' } });
    const recorded = await service.database.query(
      'SELECT action, outcome FROM audit_events WHERE request_id = $1',
      [response.headers.get('x-request-id')],
    );
    expect(recorded).toEqual([{ action: 'embed_token_denied', outcome: 'denied' }]);
  });

  test('AZ-03 AZ-05 404: the same response for a foreign and an unknown report', async () => {
    const stranger = await service.as(await service.factory.user());
    for (const body of [undefined, { access: 'edit' }]) {
      const foreign = await stranger.post(path(revenue), body);
      const none = await stranger.post(path({ id: uuidv7() }), body);
      expect(foreign).toMatchObject({ status: 404, body: { code: 'report_not_found' } });
      expect(comparable(foreign)).toEqual(comparable(none));
    }
  });
});

describe('POST /api/reports/:id/embed-token with row-level security', () => {
  test('AZ-06 200: the identity comes from the policy and the user, not from the request', async () => {
    const admin = await service.asAdmin();
    const { body } = await admin.get<{ datasets: { id: string }[] }>('/api/datasets?q=by region');
    const policy = { username: '{{attributes.employee_id}}', roles: ['Manager', '{{attributes.region}}'] };
    await admin.put(`/api/datasets/${body.datasets[0]!.id}/identity-policy`, policy);
    const attributes = { employee_id: 'E-7', region: 'Europe' };
    const ada = await service.factory.user({ attributes });
    await service.factory.grant(ada, sales);
    const report = await reportOf('My region');
    expect((await (await service.as(ada)).post(path(report))).status).toBe(200);
    expect(await lastAsked()).toMatchObject({
      identities: [{ username: 'E-7', roles: ['Manager', 'Europe'], datasets: [report.pbiDatasetId] }],
    });
  });

  test('409: the user lacks an attribute that the policy uses', async () => {
    const response = await (await service.asMember(sales)).post(path(await reportOf('My region')));
    expect(response).toMatchObject({ status: 409, body: { code: 'power_bi_identity_required' } });
    expect(response.body.detail).toContain('user attribute');
  });

  test('409: a service account gets no token for a policy that differs by person, unless the policy names its identity', async () => {
    const admin = await service.asAdmin();
    const { body } = await admin.get<{ datasets: { id: string }[] }>('/api/datasets?q=by region');
    const setPolicy = (policy: object) =>
      admin.put(`/api/datasets/${body.datasets[0]!.id}/identity-policy`, policy);
    const { body: account } = await admin.post<{ id: string; client_secret: string }>(
      '/api/service-accounts',
      {
        name: 'Backend of another portal',
      },
    );
    await admin.put(`/api/workspaces/${sales.id}/members/${account.id}`, { role: 'viewer' });
    const program = await asServiceAccount(service.url, account);
    const report = await reportOf('My region');
    for (const username of ['{{id}}', '{{email}}', '{{attributes.region}}', 'all-{{id}}']) {
      await setPolicy({ username, roles: ['Manager'] });
      const refused = await program.post<{ code: string; detail: string }>(path(report));
      expect(refused).toMatchObject({ status: 409, body: { code: 'power_bi_identity_required' } });
      expect(refused.body.detail).toContain('service accounts');
    }
    const own = { username: 'backend', roles: ['Europe'], custom_data: null };
    const policy = { username: '{{email}}', roles: ['Manager'], custom_data: null, service_accounts: own };
    expect(await setPolicy(policy)).toMatchObject({ status: 200, body: { identity_policy: policy } });
    expect((await program.post(path(report))).status).toBe(200);
    expect(await lastAsked()).toMatchObject({ identities: [{ username: 'backend', roles: ['Europe'] }] });
    await setPolicy({ username: 'everyone', roles: ['Manager'] });
    expect((await program.post(path(report))).status).toBe(200);
    expect(await lastAsked()).toMatchObject({ identities: [{ username: 'everyone', roles: ['Manager'] }] });
    await setPolicy({ username: '{{attributes.employee_id}}', roles: ['Manager', '{{attributes.region}}'] });
  });

  test('409: there is no policy, and Power BI is not called', async () => {
    await service.powerBi.delete('/__emulator/calls');
    const response = await (await service.asAdmin()).post(path(await reportOf('My customers')));
    expect(response).toMatchObject({ status: 409, body: { code: 'power_bi_identity_required' } });
    expect(await lastAsked()).toBeUndefined();
  });
});
