import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EmulatorClient, type Body, type Named } from '../support/emulator-client.js';

const sales = '/admin/groups/a0000001-0000-4000-8000-000000000000';
const nowhere = crypto.randomUUID();
let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

describe('datasets, reports and dashboards of the tenant', () => {
  test('are listed with their workspace', async () => {
    expect(await emulator.list('/admin/datasets')).toHaveLength(9);
    expect((await emulator.list(`${sales}/datasets`))[0]).toMatchObject({
      name: 'Sales',
      workspaceId: sales.split('/')[3],
    });
    expect(await emulator.list("/admin/datasets?$filter=name eq 'Sales'")).toHaveLength(1);
    expect(await emulator.list('/admin/datasets?$top=2&$skip=8')).toHaveLength(1);
    expect(await emulator.list('/admin/dashboards')).toHaveLength(10);
    expect((await emulator.list('/admin/dashboards'))[0]).not.toHaveProperty('tiles');
    expect((await emulator.list('/admin/dashboards?$expand=tiles'))[0]!.tiles).toHaveLength(6);
    expect((await emulator.get('/admin/dashboards?$expand=secrets')).status).toBe(400);
    const [board] = await emulator.list<Named>(`${sales}/dashboards`);
    expect(board).toMatchObject({ displayName: 'Sales at a glance', workspaceId: sales.split('/')[3] });
    expect(await emulator.list(`/admin/dashboards/${board!.id}/tiles`)).toHaveLength(6);
    expect((await emulator.get(`${sales}?$expand=dashboards`)).body.dashboards).toHaveLength(2);
  });

  test('have the members of their workspace as users', async () => {
    const report = await emulator.report('Sales', 'Pipeline');
    const [board] = await emulator.list<Named>(`${sales}/dashboards`);
    const users = (kind: string, id: string) => emulator.list(`/admin/${kind}/${id}/users`);
    expect(await users('reports', report.id)).toMatchObject([
      { principalType: 'App', reportUserAccessRight: 'Owner' },
      {
        identifier: 'dana@vitrine.example',
        emailAddress: 'dana@vitrine.example',
        principalType: 'User',
        reportUserAccessRight: 'Owner',
        graphId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
      },
    ]);
    expect(await users('datasets', report.datasetId)).toMatchObject([
      { datasetUserAccessRight: 'ReadWriteReshareExplore' },
      {},
    ]);
    expect(await users('dashboards', board!.id)).toMatchObject([{ dashboardUserAccessRight: 'Owner' }, {}]);
    await emulator.set({ guesses: { item_access_rights: 'direct_only' } });
    expect(await users('reports', report.id)).toEqual([]);
  });

  test('have data sources', async () => {
    const { datasetId } = await emulator.report('Sales', 'Pipeline');
    const own = await emulator.list(`/groups/${sales.split('/')[3]}/datasets/${datasetId}/datasources`);
    expect(own).toHaveLength(1);
    expect(await emulator.list(`/admin/datasets/${datasetId}/datasources`)).toEqual(own);
  });

  test('have no subscriptions', async () => {
    const report = await emulator.report('Sales', 'Pipeline');
    const [board] = await emulator.list<Named>(`${sales}/dashboards`);
    expect(await emulator.list(`/admin/reports/${report.id}/subscriptions`)).toEqual([]);
    expect(await emulator.list(`/admin/dashboards/${board!.id}/subscriptions`)).toEqual([]);
    const mine = await emulator.get('/admin/users/dana@vitrine.example/subscriptions');
    expect(mine.body).toMatchObject({ subscriptionEntities: [] });
  });

  test.each([
    `/admin/groups/${nowhere}/datasets`,
    `/admin/groups/${nowhere}/dashboards`,
    `/admin/groups/${nowhere}/users`,
    `/admin/groups/${nowhere}/unused`,
    `/admin/datasets/${nowhere}/users`,
    `/admin/datasets/${nowhere}/datasources`,
    `/admin/reports/${nowhere}/users`,
    `/admin/reports/${nowhere}/subscriptions`,
    `/admin/dashboards/${nowhere}/users`,
    `/admin/dashboards/${nowhere}/tiles`,
    `/admin/dashboards/${nowhere}/subscriptions`,
    `/admin/apps/${nowhere}/users`,
    `/admin/capacities/${nowhere}/users`,
  ])('%s is a 404', async (path) => {
    expect((await emulator.get(path)).status).toBe(404);
  });
});

describe('users of a workspace', () => {
  const ada = { identifier: 'ada@vitrine.example', principalType: 'User', groupUserAccessRight: 'Member' };

  test('are listed, added, changed and removed in any workspace', async () => {
    const path = '/admin/groups/a0000008-0000-4000-8000-000000000000/users';
    expect(await emulator.list(path)).toMatchObject([
      { identifier: 'dana@vitrine.example', graphId: expect.any(String) },
    ]);
    expect((await emulator.post(path, ada)).status).toBe(200);
    expect((await emulator.post(path, { ...ada, groupUserAccessRight: 'Viewer' })).status).toBe(200);
    expect(await emulator.list(path)).toMatchObject([
      {},
      { identifier: ada.identifier, groupUserAccessRight: 'Viewer' },
    ]);
    expect((await emulator.post(path, { identifier: 'x' })).status).toBe(400);
    expect((await emulator.rest('DELETE', `${path}/ada@vitrine.example`)).status).toBe(200);
    expect((await emulator.rest('DELETE', `${path}/ada@vitrine.example`)).status).toBe(404);
    expect(await emulator.list(path)).toHaveLength(1);
  });

  test('access items with their role', async () => {
    await emulator.post(`${sales}/users`, ada);
    const access = async (query = '', user = ada.identifier) => {
      const { body } = await emulator.get<{ artifactAccessEntities: Body[] }>(
        `/admin/users/${encodeURIComponent(user)}/artifactAccess${query}`,
      );
      return body.artifactAccessEntities;
    };
    const all = await access();
    expect(all[0]).toMatchObject({ artifactType: 'Group', displayName: 'Sales', accessRight: 'Member' });
    expect(await access('?artifactTypes=Dashboard')).toMatchObject([
      { displayName: 'Sales at a glance', artifactType: 'Dashboard', accessRight: 'ReadWrite' },
      { displayName: 'My sales' },
    ]);
    expect(await access('?artifactTypes=Report,PaginatedReport')).toHaveLength(6);
    expect((await emulator.get(`/admin/users/x/artifactAccess?artifactTypes=Secret`)).status).toBe(400);
    const { graphId } = (await emulator.list(`${sales}/users`)).find(
      ({ identifier }) => identifier === ada.identifier,
    )!;
    expect(await access('', String(graphId))).toEqual(all);
    expect(await access('', 'eve@vitrine.example')).toEqual([]);
  });
});

describe('a workspace', () => {
  test('is updated by its type of capacity', async () => {
    const update = (path: string, body: object) => emulator.rest('PATCH', path, body);
    const log = { subscriptionId: nowhere, resourceGroup: 'r', resourceName: 'n' };
    const changed = { name: 'Sales 2', description: 'New', defaultDatasetStorageFormat: 'Large' };
    expect((await update(sales, { ...changed, logAnalyticsWorkspace: log })).status).toBe(200);
    expect((await emulator.get(sales)).body).toMatchObject(changed);
    expect((await update(sales, { logAnalyticsWorkspace: null })).status).toBe(200);
    const trials = '/admin/groups/a0000005-0000-4000-8000-000000000000';
    expect((await update(trials, { description: 'Shared' })).status).toBe(200);
    expect((await update(trials, { defaultDatasetStorageFormat: 'Large' })).status).toBe(400);
    expect((await update(sales, { state: 'Deleted' })).status).toBe(400);
    expect((await update(sales, { name: 'Trials' })).status).toBe(400);
    await emulator.set({ guesses: { admin_update_name: '409' } });
    expect((await update(sales, { name: 'trials' })).status).toBe(409);
    expect((await update(sales, { name: '' })).status).toBe(400);
  });

  test('is restored after its deletion, with one user as its admin', async () => {
    const id = 'a0000001-0000-4000-8000-000000000000';
    await emulator.control('POST', '/content', {
      workspaces: [{ id, name: 'Old', state: 'Deleted', members: [] }],
    });
    const restore = (body: object) => emulator.post(`${sales}/restore`, body);
    expect((await restore({ name: 'Back' })).status).toBe(400);
    expect((await restore({ name: 'Back', emailAddress: 'ada@vitrine.example' })).status).toBe(200);
    expect((await emulator.get(sales)).body).toMatchObject({ name: 'Back', state: 'Active' });
    expect(await emulator.list(`${sales}/users`)).toMatchObject([
      { identifier: 'ada@vitrine.example', groupUserAccessRight: 'Admin' },
    ]);
    expect((await restore({ emailAddress: 'ada@vitrine.example' })).status).toBe(400);
  });

  test('cannot be changed when the switch for updates is off', async () => {
    await emulator.set({ admin_update_switch: false });
    const refused: [string, string][] = [
      ['PATCH', sales],
      ['POST', `${sales}/users`],
      ['DELETE', `${sales}/users/x`],
      ['POST', `${sales}/restore`],
      ['POST', '/admin/capacities/AssignWorkspaces'],
      ['POST', '/admin/capacities/UnassignWorkspaces'],
      ['PATCH', `/admin/capacities/${nowhere}`],
    ];
    for (const [method, path] of refused) expect((await emulator.rest(method, path, {})).status).toBe(401);
    expect((await emulator.get(sales)).status).toBe(200);
  });

  test('has unused items until the activity log contains their use', async () => {
    const unused = async () => {
      const { body } = await emulator.get<{ unusedArtifactEntities: Body[] }>(`${sales}/unused`);
      return body.unusedArtifactEntities;
    };
    const names = async () => (await unused()).map(({ displayName }) => displayName);
    expect(await names()).not.toContain('Revenue overview');
    expect(await names()).not.toContain('Sales');
    expect(await names()).toEqual(expect.arrayContaining(['My region', 'Product mix', 'My sales']));
    const report = await emulator.report('Sales', 'Product mix');
    await emulator.post('/GenerateToken', {
      reports: [{ id: report.id }],
      datasets: [{ id: report.datasetId }],
    });
    expect(await names()).not.toContain('Product mix');
    await emulator.advance(31 * 86_400);
    await emulator.signIn();
    expect((await unused()).find(({ displayName }) => displayName === 'Product mix')).toMatchObject({
      artifactType: 'Report',
      lastAccessedDateTime: expect.any(String),
    });
  });
});

test('nothing is shared with the whole organization or published to the web', async () => {
  for (const path of ['linksSharedToWholeOrganization', 'publishedToWeb']) {
    const { status, body } = await emulator.get(`/admin/widelySharedArtifacts/${path}`);
    expect([status, body.artifactAccessEntities]).toEqual([200, []]);
  }
});

test('imports of all workspaces are listed', async () => {
  expect(await emulator.list('/admin/imports')).toEqual([]);
  const form = new FormData();
  form.set('file', new Blob(['PK']), 'report.pbix');
  const group = sales.replace('/admin', '');
  await emulator.rest('POST', `${group}/imports?datasetDisplayName=Fresh.pbix`, form);
  expect(await emulator.list('/admin/imports')).toMatchObject([{ name: 'Fresh' }]);
});

test('the scanner lists dashboards', async () => {
  await emulator.set({ job_seconds: 0 });
  const workspaces = ['a0000001-0000-4000-8000-000000000000'];
  const { body } = await emulator.post<Named>('/admin/workspaces/getInfo', { workspaces });
  const result = await emulator.get<{ workspaces: Body[] }>(`/admin/workspaces/scanResult/${body.id}`);
  expect(result.body.workspaces[0]!.dashboards).toMatchObject([{ displayName: 'Sales at a glance' }, {}]);
});

test('documented limits apply to each operation', async () => {
  await emulator.set({ documented_limits: true });
  for (let calls = 0; calls < 5; calls++) expect((await emulator.get('/admin/datasets')).status).toBe(200);
  expect((await emulator.get('/admin/datasets')).status).toBe(429);
  expect((await emulator.get('/admin/dashboards')).status).toBe(200);
});
