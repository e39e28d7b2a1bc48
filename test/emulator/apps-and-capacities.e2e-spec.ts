import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EmulatorClient, type Body, type Named } from '../support/emulator-client.js';

const capacityId = 'd0000001-0000-4000-8000-000000000000';
const none = '00000000-0000-0000-0000-000000000000';
const sales = 'a0000001-0000-4000-8000-000000000000';
let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

describe('apps', () => {
  test('are not accessible to a service principal', async () => {
    for (const path of ['/apps', '/apps/90000001-0000-4000-8000-000000000000/reports']) {
      expect(await emulator.get(path)).toMatchObject({
        status: 403,
        body: { Message: 'API is not accessible for application' },
      });
    }
    await emulator.set({ guesses: { apps_of_principal: '401' } });
    expect((await emulator.get('/apps')).status).toBe(401);
  });

  test('contain the reports, dashboards and tiles of their workspace', async () => {
    await emulator.set({ guesses: { apps_of_principal: 'served' } });
    const [app] = await emulator.list<Named>('/apps');
    expect(app).toMatchObject({ name: 'Sales', publishedBy: 'Dana Demo' });
    const path = `/apps/${app!.id}`;
    expect((await emulator.get(path)).body).toMatchObject({ id: app!.id });
    const [report] = await emulator.list<Named>(`${path}/reports`);
    expect(report).toMatchObject({ appId: app!.id, embedUrl: expect.stringContaining(`&appId=${app!.id}`) });
    expect((await emulator.get(`${path}/reports/${report!.id}`)).body).toMatchObject({ id: report!.id });
    const [board] = await emulator.list<Named>(`${path}/dashboards`);
    expect(board).toMatchObject({ appId: app!.id, isReadOnly: true });
    expect((await emulator.get(`${path}/dashboards/${board!.id}`)).body).toMatchObject({ id: board!.id });
    const [tile] = await emulator.list<Named>(`${path}/dashboards/${board!.id}/tiles`);
    const one = await emulator.get(`${path}/dashboards/${board!.id}/tiles/${tile!.id}`);
    expect(one.body).toMatchObject({ id: tile!.id });
  });

  test('are hidden with their workspace', async () => {
    await emulator.set({ guesses: { apps_of_principal: 'served' } });
    const board = 'a0000008-0000-4000-8000-000000000000';
    const { body } = await emulator.control('GET', '/content');
    await emulator.control('POST', '/content', { ...body, apps: [{ workspaceId: board }] });
    expect(await emulator.list('/apps')).toEqual([]);
    expect((await emulator.get('/apps/90000001-0000-4000-8000-000000000000')).status).toBe(404);
    expect((await emulator.get(`/apps/${crypto.randomUUID()}`)).status).toBe(404);
    expect(await emulator.list('/admin/apps?$top=10')).toMatchObject([{ name: 'App 1', workspaceId: board }]);
  });

  test('are listed with their users by the admin API', async () => {
    expect((await emulator.get('/admin/apps')).status).toBe(400);
    const [app] = await emulator.list<Named>('/admin/apps?$top=1');
    expect(app).toMatchObject({ name: 'Sales', workspaceId: sales });
    expect(await emulator.list('/admin/apps?$top=10&$skip=1')).toHaveLength(1);
    expect(await emulator.list(`/admin/apps/${app!.id}/users`)).toMatchObject([
      { principalType: 'App', appUserAccessRight: 'All' },
      { identifier: 'dana@vitrine.example', appUserAccessRight: 'All' },
      { identifier: 'ada@vitrine.example', appUserAccessRight: 'ReadExplore' },
      { identifier: 'ben@vitrine.example', appUserAccessRight: 'ReadExplore' },
    ]);
  });
});

describe('a capacity', () => {
  test('is listed with its administrators', async () => {
    expect(await emulator.list('/capacities')).toMatchObject([
      { id: capacityId, sku: 'F64', capacityUserAccessRight: 'Assign', admins: ['dana@vitrine.example'] },
    ]);
    expect(await emulator.list('/admin/capacities')).toMatchObject([
      { id: capacityId, capacityUserAccessRight: 'Admin' },
    ]);
    expect(await emulator.list(`/admin/capacities/${capacityId}/users`)).toMatchObject([
      { identifier: 'dana@vitrine.example', capacityUserAccessRight: 'Admin' },
      { principalType: 'App', capacityUserAccessRight: 'Assign' },
    ]);
  });

  test('has an encryption key once it is set', async () => {
    const tenantKeyId = crypto.randomUUID();
    const path = `/admin/capacities/${capacityId}`;
    expect((await emulator.rest('PATCH', path, { tenantKeyId })).status).toBe(200);
    expect(await emulator.list('/admin/capacities')).toMatchObject([{ tenantKeyId }]);
    expect((await emulator.list('/capacities'))[0]).not.toHaveProperty('tenantKeyId');
    expect((await emulator.rest('PATCH', path, {})).status).toBe(400);
  });

  test('has workloads', async () => {
    const path = `/capacities/${capacityId}/Workloads`;
    expect(await emulator.list(path)).toMatchObject([
      { name: 'Dataflows', state: 'Enabled' },
      { name: 'PaginatedReports' },
    ]);
    const patch = (body: object) => emulator.rest('PATCH', `${path}/paginatedreports`, body);
    expect((await patch({ state: 'Disabled', maxMemoryPercentageSetByUser: 40 })).status).toBe(200);
    expect((await emulator.get(`${path}/PaginatedReports`)).body).toMatchObject({
      state: 'Disabled',
      maxMemoryPercentageSetByUser: 40,
    });
    expect((await patch({ state: 'Unsupported' })).status).toBe(400);
    expect((await patch({ state: 'Enabled', maxMemoryPercentageSetByUser: 101 })).status).toBe(400);
    expect((await emulator.get(`${path}/Nothing`)).status).toBe(404);
    expect((await emulator.get(`/capacities/${crypto.randomUUID()}/Workloads`)).status).toBe(404);
  });

  test('lists the datasets that were refreshed: of the tenant for an admin, of own workspaces for a user', async () => {
    const names = async (path: string) =>
      (await emulator.list<Named>(`${path}refreshables?$top=10`)).map(({ name }) => name);
    const { body } = await emulator.control<Body & { workspaces: (Body & { name: string })[] }>(
      'GET',
      '/content',
    );
    const people = body.workspaces.find(({ name }) => name === 'People')!;
    await emulator.control('POST', '/content', {
      ...body,
      workspaces: [...body.workspaces.filter((each) => each !== people), { ...people, members: [] }],
    });
    expect(await names('/capacities/')).toEqual(['Sales', 'General ledger']);
    expect(await names(`/capacities/${capacityId}/`)).toEqual(['Sales', 'General ledger']);
    expect(await names('/admin/capacities/')).toEqual(['Sales', 'General ledger', 'Headcount']);
    const [refreshable] = await emulator.list<Named>(
      `/admin/capacities/${capacityId}/refreshables?$top=1&$skip=2`,
    );
    const one = `capacities/${capacityId}/refreshables/${refreshable!.id}`;
    expect(await emulator.list(`/admin/${one}?$expand=group`)).toMatchObject([
      { name: 'Headcount', group: { name: 'People' } },
    ]);
    expect((await emulator.get(`/${one}`)).status).toBe(404);
    expect((await emulator.get('/capacities/refreshables')).status).toBe(400);
    expect((await emulator.get(`/capacities/${crypto.randomUUID()}/refreshables?$top=1`)).status).toBe(404);
  });

  test('receives a workspace, which takes as long as a job', async () => {
    await emulator.set({ job_seconds: 100 });
    const path = `/groups/${sales}`;
    const status = async () => (await emulator.get(`${path}/CapacityAssignmentStatus`)).body;
    expect(await status()).toMatchObject({ status: 'CompletedSuccessfully', capacityId });
    expect((await emulator.post(`${path}/AssignToCapacity`, { capacityId: none })).status).toBe(200);
    expect(await status()).toMatchObject({
      status: 'Pending',
      capacityId: none,
      startTime: expect.any(String),
    });
    expect((await emulator.get(path)).body).toMatchObject({ isOnDedicatedCapacity: false });
    await emulator.advance(50);
    expect(await status()).toMatchObject({ status: 'InProgress' });
    await emulator.advance(50);
    expect(await status()).toMatchObject({ status: 'CompletedSuccessfully', endTime: expect.any(String) });
    await emulator.set({ jobs_fail: true, job_seconds: 0 });
    await emulator.post(`${path}/AssignToCapacity`, { capacityId });
    expect(await status()).toMatchObject({ status: 'AssignmentFailed', activityId: expect.any(String) });
    const unknown = { capacityId: crypto.randomUUID() };
    expect((await emulator.post(`${path}/AssignToCapacity`, unknown)).status).toBe(404);
  });

  test('receives many workspaces at once from an admin', async () => {
    const board = 'a0000008-0000-4000-8000-000000000000';
    const isDedicated = async () => (await emulator.get(`/admin/groups/${board}`)).body.isOnDedicatedCapacity;
    const unassign = (ids: unknown) =>
      emulator.post('/admin/capacities/UnassignWorkspaces', { workspacesToUnassign: ids });
    const assign = (id: string, workspacesToAssign = [board]) =>
      emulator.post('/admin/capacities/AssignWorkspaces', {
        capacityMigrationAssignments: [{ targetCapacityObjectId: id, workspacesToAssign }],
      });
    expect((await unassign([board])).status).toBe(200);
    expect(await isDedicated()).toBe(false);
    expect((await assign(capacityId)).status).toBe(200);
    expect(await isDedicated()).toBe(true);
    expect((await assign(crypto.randomUUID())).status).toBe(404);
    expect((await assign(capacityId, [crypto.randomUUID()])).status).toBe(404);
    expect((await unassign('x')).status).toBe(400);
    expect((await emulator.post('/admin/capacities/AssignWorkspaces', {})).status).toBe(400);
  });

  test('receives My workspace if the caller has one', async () => {
    expect((await emulator.post('/AssignToCapacity', { capacityId })).status).not.toBe(200);
    await emulator.set({ guesses: { my_workspace_of_principal: 'personal_workspace' }, job_seconds: 0 });
    expect((await emulator.get('/CapacityAssignmentStatus')).body).toMatchObject({ capacityId: none });
    expect((await emulator.post('/AssignToCapacity', { capacityId })).status).toBe(200);
    expect((await emulator.get('/CapacityAssignmentStatus')).body).toMatchObject({
      status: 'CompletedSuccessfully',
      capacityId,
    });
  });
});

describe('available features', () => {
  test('show how many of the trial tokens were issued', async () => {
    await emulator.set({ shared_capacity_quota: 4 });
    const usage = async () => {
      const { body } = await emulator.get<{ additionalInfo: Body }>(
        "/availableFeatures(featureName='embedTrial')",
      );
      return body.additionalInfo.usage;
    };
    expect(await usage()).toBe(0);
    const report = await emulator.report('Trials', 'Trial forecast');
    await emulator.post('/GenerateToken', {
      reports: [{ id: report.id }],
      datasets: [{ id: report.datasetId }],
    });
    expect(await usage()).toBe(25);
    const { body } = await emulator.get<{ features: Body[] }>('/availableFeatures');
    expect(body.features).toMatchObject([{ name: 'embedTrial', state: 'Enabled', extendedState: 'Enabled' }]);
    expect((await emulator.get("/availableFeatures(featureName='other')")).status).toBe(404);
  });
});
