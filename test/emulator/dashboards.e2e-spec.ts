import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EmulatorClient, type Body, type EmbedToken, type Named } from '../support/emulator-client.js';

interface Item extends Named {
  displayName: string;
  title: string;
  embedUrl: string;
  datasetId: string;
  reportId: string;
}

const viewer = { groupUserAccessRight: 'Viewer', principalType: 'App' };
let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

async function dashboard(workspace: string, name: string): Promise<{ path: string; item: Item }> {
  const { id } = await emulator.workspace(workspace);
  const item = (await emulator.list<Item>(`/groups/${id}/dashboards`)).find(
    ({ displayName }) => displayName === name,
  )!;
  return { path: `/groups/${id}/dashboards/${item.id}`, item };
}

describe('dashboards and tiles', () => {
  test('are listed and read by id', async () => {
    const { path, item } = await dashboard('Sales', 'Sales at a glance');
    expect(item.embedUrl).toMatch(
      new RegExp(`^${emulator.url}/dashboardEmbed\\?dashboardId=${item.id}&groupId=.*&config=`),
    );
    expect((await emulator.get(path)).body).toMatchObject({ id: item.id, isReadOnly: false });
    const tiles = await emulator.list<Item>(`${path}/tiles`);
    expect(tiles).toHaveLength(6);
    expect(tiles.at(-1)).not.toHaveProperty('datasetId');
    const { body } = await emulator.get<Item>(`${path}/tiles/${tiles[0]!.id}`);
    expect(body).toMatchObject({ title: 'Revenue', rowSpan: 1, colSpan: 1 });
    expect(body.embedUrl).toContain(`/embed?dashboardId=${item.id}&tileId=${tiles[0]!.id}&groupId=`);
    expect((await emulator.report('Sales', 'Revenue overview')).id).toBe(body.reportId);
  });

  test('are hidden with their workspace', async () => {
    const board = '/groups/a0000008-0000-4000-8000-000000000000/dashboards';
    expect((await emulator.get(board)).status).toBe(401);
    const { path } = await dashboard('Sales', 'My sales');
    expect((await emulator.get(path.replace(/.$/, 'f'))).status).toBe(404);
    expect((await emulator.get(path.replace(/[^/]*$/, 'x'))).status).toBe(400);
    const finance = await emulator.workspace('Finance');
    expect((await emulator.get(`/groups/${finance.id}/dashboards/${path.split('/').at(-1)}`)).status).toBe(
      404,
    );
    expect((await emulator.get(`${path}/tiles/${crypto.randomUUID()}`)).status).toBe(404);
  });

  test('are added and deleted by a Contributor', async () => {
    const { id } = await emulator.workspace('New region');
    const path = `/groups/${id}/dashboards`;
    const added = await emulator.post<Item>(path, { name: 'Launch' });
    expect(added).toMatchObject({ status: 200, body: { displayName: 'Launch', isReadOnly: false } });
    expect((await emulator.post(path, {})).status).toBe(400);
    expect(await emulator.list<Item>(path)).toHaveLength(1);
    expect((await emulator.rest('DELETE', `${path}/${added.body.id}`)).status).toBe(200);
    expect(await emulator.list<Item>(path)).toEqual([]);
    const partners = await emulator.workspace('Partners');
    expect((await emulator.post(`/groups/${partners.id}/dashboards`, { name: 'Mine' })).status).toBe(401);
    const { path: board } = await dashboard('Partners', 'Partner board');
    expect((await emulator.rest('DELETE', board)).status).toBe(401);
  });

  test('need the role of the guess', async () => {
    const { id } = await emulator.workspace('New region');
    const members = [{ ...viewer, groupUserAccessRight: 'Contributor', identifier: await ownObjectId() }];
    await emulator.control('POST', '/content', { workspaces: [{ id, members }] });
    await emulator.set({ guesses: { dashboard_right: 'Member' } });
    expect((await emulator.post(`/groups/${id}/dashboards`, { name: 'Launch' })).status).toBe(401);
    await emulator.set({ guesses: { dashboard_right: 'Contributor' } });
    expect((await emulator.post(`/groups/${id}/dashboards`, { name: 'Launch' })).status).toBe(200);
  });

  test('survive a round trip as a seed document', async () => {
    const before = (await emulator.control('GET', '/content')).body;
    await emulator.control('POST', '/content', before);
    expect((await emulator.control('GET', '/content')).body).toEqual(before);
    const seed = { workspaces: [{ name: 'Tiny', dashboards: [{ tiles: [{ title: 'One' }, {}] }] }] };
    expect((await emulator.control('POST', '/content', seed)).status).toBe(200);
    const { path, item } = await dashboard('Tiny', 'Dashboard 1');
    expect(item.id).toBe('e0000001-0000-4000-8000-000000000001');
    expect(await emulator.list<Item>(`${path}/tiles`)).toMatchObject([
      { title: 'One' },
      { title: 'Tile 2', rowSpan: 0 },
    ]);
  });
});

async function ownObjectId(): Promise<string> {
  const { principals } = (await emulator.control<{ principals: { objectId: string }[] }>('GET', '/content'))
    .body;
  return principals[0]!.objectId;
}

describe('POST …/tiles/{id}/Clone', () => {
  test('keeps report and dataset in the same workspace', async () => {
    const { path, item } = await dashboard('Sales', 'Sales at a glance');
    const [source] = await emulator.list<Item>(`${path}/tiles`);
    const { status, body } = await emulator.post<Item>(`${path}/tiles/${source!.id}/Clone`, {
      targetDashboardId: item.id,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      title: 'Revenue',
      reportId: source!.reportId,
      datasetId: source!.datasetId,
    });
    expect(body.id).not.toBe(source!.id);
    expect(await emulator.list<Item>(`${path}/tiles`)).toHaveLength(7);
  });

  test('breaks the tile in another workspace, unless it is bound to a report and a dataset there', async () => {
    const { path } = await dashboard('Sales', 'Sales at a glance');
    const [source] = await emulator.list<Item>(`${path}/tiles`);
    const target = await dashboard('Operations', 'Empty dashboard');
    const clone = { targetDashboardId: target.item.id, targetWorkspaceId: target.path.split('/')[2] };
    const broken = await emulator.post(`${path}/tiles/${source!.id}/Clone`, clone);
    expect(broken.status).toBe(200);
    expect(broken.body).not.toHaveProperty('reportId');
    expect(broken.body).not.toHaveProperty('datasetId');
    const report = await emulator.report('Operations', 'Stock levels');
    const bound = await emulator.post(`${path}/tiles/${source!.id}/Clone`, {
      ...clone,
      targetReportId: report.id,
      targetModelId: report.datasetId,
    });
    expect(bound.body).toMatchObject({ reportId: report.id, datasetId: report.datasetId });
  });

  test('is refused for a foreign target', async () => {
    const { path, item } = await dashboard('Sales', 'Sales at a glance');
    const [source] = await emulator.list<Item>(`${path}/tiles`);
    const clone = (body: object) => emulator.post(`${path}/tiles/${source!.id}/Clone`, body);
    const board = 'a0000008-0000-4000-8000-000000000000';
    expect((await clone({})).status).toBe(400);
    expect((await clone({ targetDashboardId: crypto.randomUUID() })).status).toBe(404);
    expect((await clone({ targetDashboardId: item.id, targetWorkspaceId: board })).status).toBe(401);
    const secret = 'b0000008-0000-4000-8000-000000000001';
    expect((await clone({ targetDashboardId: item.id, targetReportId: secret })).status).toBe(404);
    const partners = await dashboard('Partners', 'Partner board');
    const [, , viewed] = partners.path.split('/');
    const asViewer = { targetDashboardId: partners.item.id, targetWorkspaceId: viewed };
    expect((await clone(asViewer)).status).toBe(401);
  });

  test('is cancelled on a position conflict with Abort', async () => {
    const { path, item } = await dashboard('Sales', 'Sales at a glance');
    const [source] = await emulator.list<Item>(`${path}/tiles`);
    const clone = (positionConflictAction: string) =>
      emulator.post(`${path}/tiles/${source!.id}/Clone`, {
        targetDashboardId: item.id,
        positionConflictAction,
      });
    expect((await clone('Abort')).status).toBe(400);
    await emulator.set({ guesses: { tile_position_conflict: '409' } });
    expect((await clone('Abort')).status).toBe(409);
    expect(await emulator.list<Item>(`${path}/tiles`)).toHaveLength(6);
    expect((await clone('Tail')).status).toBe(200);
    expect((await clone('Elsewhere')).status).toBe(400);
  });
});

describe('POST …/GenerateToken', () => {
  test('issues tokens for a dashboard and for a tile', async () => {
    const { path } = await dashboard('Sales', 'Sales at a glance');
    const [tile] = await emulator.list<Item>(`${path}/tiles`);
    for (const item of [path, `${path}/tiles/${tile!.id}`]) {
      const { status, body } = await emulator.post<EmbedToken>(`${item}/GenerateToken`, {
        accessLevel: 'View',
        lifetimeInMinutes: 10,
      });
      expect(status).toBe(200);
      expect(body.token).toMatch(/^H4sIAAAAAAAEA/);
      expect(Date.parse(body.expiration)).toBeLessThanOrEqual(Date.now() + 10 * 60_000);
    }
  });

  test('requires an identity for every dataset with row-level security', async () => {
    const { path } = await dashboard('Sales', 'My sales');
    const token = (identities?: object[]) => emulator.post(`${path}/GenerateToken`, { identities });
    const tiles = await emulator.list<Item>(`${path}/tiles`);
    const [byPerson, byRegion] = [tiles[0]!.datasetId, tiles[2]!.datasetId];
    const person = { username: 'ada@vitrine.example', datasets: [byPerson] };
    const region = { username: 'ada@vitrine.example', roles: ['Europe'], datasets: [byRegion] };
    expect((await token()).status).toBe(400);
    expect((await token([person])).status).toBe(400);
    expect((await token([person, region])).status).toBe(200);
    const foreign = { username: 'ada@vitrine.example', datasets: [crypto.randomUUID()] };
    expect((await token([person, region, foreign])).status).toBe(400);
    const tile = `${path}/tiles/${tiles[0]!.id}/GenerateToken`;
    expect((await emulator.post(tile, { identities: [person] })).status).toBe(200);
    expect((await emulator.post(tile, {})).status).toBe(400);
  });

  test('is refused to a Viewer and rationed on shared capacity', async () => {
    const partners = await dashboard('Partners', 'Partner board');
    expect((await emulator.post(`${partners.path}/GenerateToken`, {})).status).toBe(401);
    await emulator.set({ shared_capacity_quota: 1 });
    const trials = await dashboard('Trials', 'Trial board');
    expect((await emulator.post(`${trials.path}/GenerateToken`, {})).status).toBe(200);
    expect((await emulator.post(`${trials.path}/GenerateToken`, {})).status).toBe(403);
  });
});

describe('the embed page of dashboards', () => {
  async function open(path: string, more: object, page = 'open') {
    const { body } = await emulator.post<EmbedToken>(`${path}/GenerateToken`, {});
    const request = { accessToken: body.token, tokenType: 1, ...more };
    return emulator.send<Body>('POST', `/dashboardEmbed/${page}`, request);
  }

  test('opens only the dashboard of the token', async () => {
    const { path, item } = await dashboard('Sales', 'Sales at a glance');
    const [tile] = await emulator.list<Item>(`${path}/tiles`);
    expect(await open(path, { dashboardId: item.id })).toMatchObject({
      status: 200,
      body: { dashboard: { name: 'Sales at a glance' }, workspace: 'Sales' },
    });
    const refused = { message: 'LoadReportFailed', detailedMessage: 'Get report failed' };
    const other = await dashboard('Finance', 'Month-end');
    const cases: [object, string][] = [
      [{ dashboardId: other.item.id }, '403'],
      [{ dashboardId: item.id, tileId: tile!.id }, '403'],
      [{ dashboardId: crypto.randomUUID() }, '404'],
      [{ dashboardId: item.id, tileId: crypto.randomUUID() }, '404'],
      [{ dashboardId: 'x' }, '500'],
    ];
    for (const [request, errorCode] of cases) {
      expect((await open(path, request)).body).toMatchObject({ ...refused, errorCode });
      expect((await open(path, request, 'check')).body).toMatchObject({ ...refused, errorCode });
    }
    expect((await open(path, {})).body).toMatchObject({ message: 'Invalid parameters' });
    const foreign = { dashboardId: item.id, groupId: other.path.split('/')[2] };
    expect((await open(path, foreign)).body).toMatchObject({ message: 'PowerBINotAuthorizedException' });
    await emulator.set({ guesses: { dashboard_load_error: 'LoadDashboardFailed' } });
    expect((await open(path, { dashboardId: other.item.id })).body).toMatchObject({
      message: 'LoadDashboardFailed',
      detailedMessage: 'Get dashboard failed',
    });
  });

  test('opens only the tile of the token, and no report', async () => {
    const { path, item } = await dashboard('Sales', 'Sales at a glance');
    const [tile, second] = await emulator.list<Item>(`${path}/tiles`);
    const own = `${path}/tiles/${tile!.id}`;
    const { body } = await open(own, { dashboardId: item.id, tileId: tile!.id });
    expect(body.tiles).toMatchObject([
      { id: tile!.id, clicked: { tileId: tile!.id, pageName: 'ReportSection' } },
    ]);
    expect((await open(own, { dashboardId: item.id, tileId: second!.id })).body.errorCode).toBe('403');
    expect((await open(own, { dashboardId: item.id })).body.errorCode).toBe('403');
    await emulator.set({ guesses: { tile_clicked_detail: 'tile_id_only' } });
    const short = (await open(own, { dashboardId: item.id, tileId: tile!.id })).body;
    expect((short.tiles as Body[])[0]!.clicked).toEqual({ tileId: tile!.id });
    const token = (await emulator.post<EmbedToken>(`${path}/GenerateToken`, {})).body.token;
    const report = await emulator.send<Body>('POST', '/reportEmbed/open', {
      accessToken: token,
      tokenType: 1,
      id: tile!.reportId,
    });
    expect(report.body).toMatchObject({ message: 'LoadReportFailed', errorCode: '403' });
  });

  test('raises OpenConnectionError while the capacity is paused', async () => {
    const { path, item } = await dashboard('Sales', 'Sales at a glance');
    await emulator.control('POST', '/capacities', { state: 'Suspended' });
    expect((await open(path, { dashboardId: item.id })).body.message).toBe('OpenConnectionError');
  });
});

describe('My workspace', () => {
  test('does not exist for a service principal', async () => {
    for (const path of ['/dashboards', `/dashboards/${crypto.randomUUID()}/tiles`]) {
      expect((await emulator.get(path)).status).toBe(403);
    }
    expect((await emulator.post('/dashboards', { name: 'Mine' })).status).toBe(403);
  });

  test('is served if the guess grants one', async () => {
    await emulator.set({ guesses: { my_workspace_of_principal: 'personal_workspace' } });
    const [scratch] = await emulator.list<Item>('/dashboards');
    expect(scratch).toMatchObject({ displayName: 'Scratch board' });
    expect(scratch!.embedUrl).not.toContain('groupId');
    const [tile] = await emulator.list<Item>(`/dashboards/${scratch!.id}/tiles`);
    expect((await emulator.get(`/dashboards/${scratch!.id}/tiles/${tile!.id}`)).status).toBe(200);
    const added = await emulator.post<Item>('/dashboards', { name: 'Mine' });
    const clone = { targetDashboardId: added.body.id };
    const copy = await emulator.post<Item>(`/dashboards/${scratch!.id}/tiles/${tile!.id}/Clone`, clone);
    expect(copy.body.embedUrl).not.toContain('groupId');
    expect((await emulator.rest('DELETE', `/dashboards/${added.body.id}`)).status).toBe(200);
    expect(await emulator.list<Item>('/dashboards')).toHaveLength(1);
  });
});
