import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { demoPrincipalObjectId } from '../../packages/power-bi-emulator/demo-tenant.js';
import { EmulatorClient, type Named, type Report } from '../support/emulator-client.js';

let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

async function names(path: string): Promise<string[]> {
  const { body } = await emulator.get<{ value: Named[] }>(path);
  return body.value.map(({ name }) => name);
}

const pathOf = ({ id, groupId }: Report) => `/groups/${groupId}/reports/${id}`;

describe('PATCH and DELETE /groups/{id}', () => {
  test('rename and delete a workspace, which the admin API still lists', async () => {
    const { id } = await emulator.workspace('New region');
    expect((await emulator.rest('PATCH', `/groups/${id}`, { name: 'Nordics' })).status).toBe(200);
    expect((await emulator.workspace('Nordics')).id).toBe(id);
    expect((await emulator.rest('PATCH', `/groups/${id}`, { name: '' })).status).toBe(400);
    expect((await emulator.rest('DELETE', `/groups/${id}`)).status).toBe(200);
    expect((await emulator.get(`/groups/${id}`)).status).toBe(404);
    expect(await names('/groups')).not.toContain('Nordics');
    expect((await emulator.get(`/admin/groups/${id}`)).body).toMatchObject({ state: 'Deleted' });
  });

  test.each(['Finance', 'Partners'])('require the role Admin, which %s does not give', async (name) => {
    const { id } = await emulator.workspace(name);
    expect((await emulator.rest('PATCH', `/groups/${id}`, { name: 'x' })).status).toBe(401);
    expect((await emulator.rest('DELETE', `/groups/${id}`)).status).toBe(401);
  });
});

test('a workspace can leave its capacity', async () => {
  await emulator.set({ job_seconds: 0 });
  const { id } = await emulator.workspace('Sales');
  const capacityId = '00000000-0000-0000-0000-000000000000';
  expect((await emulator.post(`/groups/${id}/AssignToCapacity`, { capacityId })).status).toBe(200);
  expect(await emulator.workspace('Sales')).toMatchObject({ isOnDedicatedCapacity: false });
  expect((await emulator.get(`/groups/${id}/CapacityAssignmentStatus`)).body).toMatchObject({
    status: 'CompletedSuccessfully',
    capacityId,
  });
});

describe('a report', () => {
  test('is deleted', async () => {
    const report = await emulator.report('Sales', 'Pipeline');
    expect((await emulator.rest('DELETE', pathOf(report))).status).toBe(200);
    expect((await emulator.get(pathOf(report))).status).toBe(404);
    expect((await emulator.rest('DELETE', pathOf(report))).status).toBe(404);
    expect((await emulator.report('Sales', 'Product mix')).name).toBe('Product mix');
  });

  test('is cloned into another workspace, with another dataset', async () => {
    const report = await emulator.report('Sales', 'Pipeline');
    const target = await emulator.workspace('New region');
    const { id: targetModelId } = await emulator.dataset('Finance', 'General ledger');
    const clone = `${pathOf(report)}/Clone`;
    const { status, body } = await emulator.post<Report>(clone, {
      name: 'Copy',
      targetWorkspaceId: target.id,
      targetModelId,
    });
    expect([status, body.name, body.datasetId]).toEqual([200, 'Copy', targetModelId]);
    expect(body).toMatchObject({ originalReportId: report.id });
    expect((await emulator.get(`/groups/${target.id}/reports/${body.id}`)).body).toMatchObject({
      id: body.id,
    });
    expect((await emulator.post<Report>(clone, { name: 'Here' })).body.datasetId).toBe(report.datasetId);
    expect(await names(`/groups/${report.groupId}/reports`)).toContain('Here');
    expect((await emulator.post(clone, {})).status).toBe(400);
    const board = 'a0000008-0000-4000-8000-000000000000';
    expect((await emulator.post(clone, { name: 'x', targetWorkspaceId: board })).status).toBe(401);
    const secret = 'c0000008-0000-4000-8000-000000000001';
    expect((await emulator.post(clone, { name: 'x', targetModelId: secret })).status).toBe(401);
  });

  test('is bound to another dataset', async () => {
    const report = await emulator.report('Sales', 'Pipeline');
    const { id: datasetId } = await emulator.dataset('Sales', 'Sales by region');
    expect((await emulator.post(`${pathOf(report)}/Rebind`, { datasetId })).status).toBe(200);
    expect((await emulator.report('Sales', 'Pipeline')).datasetId).toBe(datasetId);
    const unknown = { datasetId: crypto.randomUUID() };
    expect((await emulator.post(`${pathOf(report)}/Rebind`, unknown)).status).toBe(404);
  });

  test('is downloaded as a file', async () => {
    const pbix = await emulator.get(`${pathOf(await emulator.report('Sales', 'Pipeline'))}/Export`);
    expect(pbix.headers.get('content-disposition')).toContain('Pipeline.pbix');
    expect(pbix.text.slice(0, 2)).toBe('PK');
    const rdl = await emulator.get(`${pathOf(await emulator.report('Finance', 'Invoice register'))}/Export`);
    expect(rdl.headers.get('content-disposition')).toContain('Invoice register.rdl');
    expect(rdl.text).toContain('<Report>');
  });

  test('takes over the pages of another one', async () => {
    const report = await emulator.report('Sales', 'Pipeline');
    const source = await emulator.report('Finance', 'Profit and loss');
    const sourceReport = { sourceReportId: source.id, sourceWorkspaceId: source.groupId };
    const update = `${pathOf(report)}/UpdateReportContent`;
    expect(await emulator.post(update, { sourceType: 'ExistingReport', sourceReport })).toMatchObject({
      status: 200,
      body: { id: report.id, datasetId: report.datasetId },
    });
    const pages = await emulator.get<{ value: object[] }>(`${pathOf(report)}/pages`);
    expect(pages.body.value).toMatchObject([{}, { displayName: 'By cost centre' }]);
    expect((await emulator.get(`${pathOf(report)}/pages/ReportSection1`)).body).toMatchObject({ order: 1 });
    expect((await emulator.get(`${pathOf(report)}/pages/x`)).status).toBe(404);
    expect((await emulator.post(update, { sourceReport })).status).toBe(400);
  });

  test('is not changed by a Viewer', async () => {
    const report = await emulator.report('Partners', 'Partner scorecard');
    const { id: datasetId } = await emulator.dataset('Partners', 'Partner sales');
    const statuses = [
      await emulator.rest('DELETE', pathOf(report)),
      await emulator.post(`${pathOf(report)}/Clone`, { name: 'x' }),
      await emulator.post(`${pathOf(report)}/Rebind`, { datasetId }),
      await emulator.get(`${pathOf(report)}/Export`),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 401, 401, 401]);
  });
});

describe('a dataset', () => {
  async function open(workspace: string, name: string) {
    const { id: group } = await emulator.workspace(workspace);
    const { id } = await emulator.dataset(workspace, name);
    return { path: `/groups/${group}/datasets/${id}`, group, id };
  }

  test('is deleted with its reports', async () => {
    const { path, group } = await open('Finance', 'General ledger');
    expect((await emulator.rest('DELETE', path)).status).toBe(200);
    expect((await emulator.get(path)).status).toBe(404);
    expect(await names(`/groups/${group}/reports`)).toEqual(['Invoice register']);
  });

  test('changes its storage mode and its owner', async () => {
    const { path } = await open('Sales', 'Sales');
    await emulator.rest('PATCH', path, { targetStorageMode: 'PremiumFiles' });
    await emulator.post(`${path}/Default.TakeOver`);
    expect((await emulator.get(path)).body).toMatchObject({
      targetStorageMode: 'PremiumFiles',
      configuredBy: demoPrincipalObjectId,
    });
    await emulator.post(`${path}/Default.TakeOver`, undefined, await emulator.headerOf('dana'));
    expect((await emulator.get(path)).body.configuredBy).toBe('dana@vitrine.example');
    expect((await emulator.rest('PATCH', path, { targetStorageMode: 'x' })).status).toBe(400);
  });

  test('has parameters, of which all or none change', async () => {
    const { path } = await open('Sales', 'Sales');
    const change = (...updateDetails: object[]) =>
      emulator.post(`${path}/Default.UpdateParameters`, { updateDetails });
    const parameters = async () => (await emulator.get<{ value: object[] }>(`${path}/parameters`)).body.value;
    expect((await change({ name: 'Database', newValue: 'other' })).status).toBe(200);
    expect(await parameters()).toMatchObject([{}, { name: 'Database', currentValue: 'other' }]);
    const mixed = [
      { name: 'Database', newValue: 'third' },
      { name: 'Nope', newValue: 'x' },
    ];
    expect((await change(...mixed)).status).toBe(400);
    expect(await parameters()).toMatchObject([{}, { currentValue: 'other' }]);
    expect((await emulator.get<{ value: object[] }>(`${path}/datasources`)).body.value).toMatchObject([
      { datasourceType: 'Sql', connectionDetails: { database: 'sales' } },
    ]);
  });

  test('has a refresh schedule, which is disabled by a request of its own', async () => {
    const { path } = await open('Sales', 'Sales');
    const schedule = `${path}/refreshSchedule`;
    const change = async (value: object) => (await emulator.rest('PATCH', schedule, { value })).status;
    expect(await change({ days: ['Monday'], times: ['07:30'], enabled: true })).toBe(200);
    expect((await emulator.get(schedule)).body).toMatchObject({
      days: ['Monday'],
      times: ['07:30'],
      enabled: true,
      notifyOption: 'MailOnFailure',
    });
    expect(await change({ enabled: false, days: ['Friday'] })).toBe(400);
    expect(await change({ enabled: false })).toBe(200);
    expect(await change({ times: ['07:15'] })).toBe(400);
    expect(await change({ days: ['Mon'] })).toBe(400);
    const live = await open('Operations', 'Deliveries');
    expect((await emulator.get(`${live.path}/refreshSchedule`)).status).toBe(400);
  });

  test('with DirectQuery has a schedule by frequency or by times', async () => {
    const schedule = `${(await open('Operations', 'Deliveries')).path}/directQueryRefreshSchedule`;
    const change = async (value: object) => (await emulator.rest('PATCH', schedule, { value })).status;
    expect(await change({ frequency: 15 })).toBe(200);
    expect((await emulator.get(schedule)).body).toMatchObject({ frequency: 15, days: [] });
    expect(await change({ days: ['Sunday'], times: ['05:00'] })).toBe(200);
    const { body } = await emulator.get(schedule);
    expect([body.frequency, body.times]).toEqual([undefined, ['05:00']]);
    expect(await change({ frequency: 7 })).toBe(400);
  });

  test('is shared with users', async () => {
    const { path } = await open('Sales', 'Sales');
    const user = { identifier: 'eve@vitrine.example', principalType: 'User' };
    const put = async (method: string, right: string) =>
      (await emulator.rest(method, `${path}/users`, { ...user, datasetUserAccessRight: right })).status;
    expect(await put('PUT', 'Read')).toBe(404);
    expect(await put('POST', 'Read')).toBe(200);
    expect(await put('PUT', 'ReadExplore')).toBe(200);
    const { body } = await emulator.get<{ value: object[] }>(`${path}/users`);
    expect(body.value).toContainEqual({ ...user, datasetUserAccessRight: 'ReadExplore' });
    expect(body.value).toContainEqual(expect.objectContaining({ identifier: demoPrincipalObjectId }));
    expect(await put('PUT', 'Everything')).toBe(400);
  });
});

describe('a route of My workspace', () => {
  const report = '/reports/b0000001-0000-4000-8000-000000000001';
  const dataset = '/datasets/c0000001-0000-4000-8000-000000000001';

  test.each([
    ['GET', '/reports'],
    ['GET', '/datasets'],
    ['GET', report],
    ['GET', `${report}/pages`],
    ['DELETE', report],
    ['GET', `${dataset}/refreshes`],
    ['POST', `${dataset}/refreshes`],
    ['GET', `${dataset}/parameters`],
    ['GET', '/imports'],
  ])('%s %s is not accessible for a service principal', async (method, path) => {
    const { status, body } = await emulator.rest(method, path);
    expect([status, body]).toEqual([403, { Message: 'API is not accessible for application' }]);
    await emulator.set({ guesses: { my_workspace_of_principal: '401' } });
    expect((await emulator.rest(method, path)).status).toBe(401);
  });

  test('serves the personal workspace to who has one', async () => {
    await emulator.set({ guesses: { my_workspace_of_principal: 'personal_workspace' } });
    const { body } = await emulator.get<{ value: Named[] }>('/reports');
    expect(body.value.map(({ name }) => name)).toEqual(['Scratch']);
    expect((await emulator.get(`/reports/${body.value[0]!.id}/pages`)).status).toBe(200);
    expect((await emulator.get(report)).status).toBe(404);
  });
});
