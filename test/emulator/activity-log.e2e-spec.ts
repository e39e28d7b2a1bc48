import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { demoTenant, demoPrincipalObjectId } from '../../packages/power-bi-emulator/demo-tenant.js';
import { EmulatorClient, type Body, type EmbedToken, type Named } from '../support/emulator-client.js';

interface Log {
  activityEventEntities: (Body & { Activity: string })[];
  continuationUri?: string | null;
  continuationToken?: string | null;
  lastResultSet?: boolean;
}

let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
beforeEach(async () => {
  await emulator.reset();
  await emulator.control('POST', '/content', { ...(await content()), activities: [] });
});
afterAll(() => emulator.close());

async function content(): Promise<Body> {
  return (await emulator.control('GET', '/content')).body;
}

async function today(): Promise<string> {
  return (await emulator.control<{ now: string }>('GET', '/')).body.now.slice(0, 10);
}

/** The events of today, without the requests for the log itself. */
async function events(filter?: string) {
  const { status, body } = await log(
    `'${await today()}T00:00:00.000Z'`,
    `'${await today()}T23:59:59.999Z'`,
    filter,
  );
  expect(status).toBe(200);
  return body.activityEventEntities.filter(({ Activity }) => Activity !== 'ExportActivityEvents');
}

function log(start: string, end: string, filter?: string) {
  const query = new URLSearchParams({
    startDateTime: start,
    endDateTime: end,
    ...(filter && { $filter: filter }),
  });
  return emulator.get<Log>(`/admin/activityevents?${query.toString()}`);
}

async function tokenFor(name: string): Promise<EmbedToken & { reportId: string }> {
  const { id, datasetId } = await emulator.report('Sales', name);
  const request = { reports: [{ id }], datasets: [{ id: datasetId }] };
  return { ...(await emulator.post<EmbedToken>('/GenerateToken', request)).body, reportId: id };
}

describe('the emulator records', () => {
  test('embed tokens and what they open', async () => {
    const { token, tokenId, reportId } = await tokenFor('Pipeline');
    await emulator.send('POST', '/reportEmbed/open', { accessToken: token, tokenType: 1, id: reportId });
    const item = {
      ReportName: 'Pipeline',
      WorkSpaceName: 'Sales',
      ArtifactKind: 'Report',
      EmbedTokenId: tokenId,
    };
    expect(await events()).toMatchObject([
      { Activity: 'GenerateEmbedToken', Operation: 'GenerateEmbedToken', ReportId: reportId, ...item },
      { Activity: 'ViewReport', ReportId: reportId, CapacityName: 'Demo F64', ...item },
    ]);
    expect((await events())[0]).toMatchObject({
      UserId: demoTenant.clientId,
      OrganizationId: demoTenant.tenantId,
      Workload: 'PowerBI',
      CreationTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
  });

  test('exports, refreshes, dashboards and changes of access', async () => {
    const { id } = await emulator.workspace('Sales');
    const report = await emulator.report('Sales', 'Pipeline');
    await emulator.post(`/groups/${id}/reports/${report.id}/ExportTo`, { format: 'PDF' });
    await emulator.post(`/groups/${id}/datasets/${report.datasetId}/refreshes`, {});
    const board = (await emulator.post<Named>(`/groups/${id}/dashboards`, { name: 'New' })).body;
    const opened = await emulator.post<EmbedToken>(`/groups/${id}/dashboards/${board.id}/GenerateToken`, {});
    await emulator.send('POST', '/dashboardEmbed/open', {
      accessToken: opened.body.token,
      tokenType: 1,
      dashboardId: board.id,
    });
    await emulator.rest('DELETE', `/groups/${id}/dashboards/${board.id}`);
    const user = { identifier: 'eve@vitrine.example', principalType: 'User', groupUserAccessRight: 'Viewer' };
    await emulator.post(`/groups/${id}/users`, user);
    await emulator.post('/groups', { name: 'Another' });
    expect((await events()).map(({ Activity }) => Activity)).toEqual([
      'ExportReport',
      'RefreshDataset',
      'CreateDashboard',
      'GenerateEmbedToken',
      'ViewDashboard',
      'DeleteDashboard',
      'UpdateWorkspaceAccess',
      'CreateGroup',
    ]);
    expect((await events("Activity eq 'RefreshDataset'"))[0]).toMatchObject({ DatasetName: 'Sales' });
  });

  test('the user who called, also for views by the tokens of the user', async () => {
    const carol = await emulator.headerOf('carol');
    const { id } = await emulator.report('Operations', 'Stock levels');
    const { body } = await emulator.post<EmbedToken>('/GenerateToken', { reports: [{ id }] }, carol);
    await emulator.send('POST', '/reportEmbed/open', { accessToken: body.token, tokenType: 1, id });
    const user = { UserId: 'carol@vitrine.example', UserKey: 'carol@vitrine.example' };
    const expected = [
      { Activity: 'GenerateEmbedToken', ...user },
      { Activity: 'ViewReport', ...user },
    ];
    expect(await events()).toMatchObject(expected);
    await emulator.set({ guesses: { activity_user: 'object_id' } });
    expect(await events("UserId eq 'carol@vitrine.example'")).toMatchObject(expected);
  });

  test('nothing that was refused', async () => {
    const { id } = await emulator.workspace('Partners');
    const report = await emulator.report('Partners', 'Partner scorecard');
    expect((await emulator.post('/GenerateToken', { reports: [{ id: report.id }] })).status).toBe(401);
    expect((await emulator.post(`/groups/${id}/dashboards`, { name: 'x' })).status).toBe(401);
    expect(await events()).toEqual([]);
  });

  test('requests for the log itself', async () => {
    await events();
    const { body } = await log(`'${await today()}T00:00:00Z'`, `'${await today()}T23:59:59Z'`);
    expect(body.activityEventEntities.map(({ Activity }) => Activity)).toContain('ExportActivityEvents');
  });

  test('events that are visible after a delay', async () => {
    await emulator.set({ activity_delay_seconds: 1800 });
    await tokenFor('Pipeline');
    expect(await events()).toEqual([]);
    await emulator.set({ activity_delay_seconds: 0 });
    expect(await events()).toHaveLength(1);
  });
});

describe('GET /admin/activityevents', () => {
  test.each([
    ['', ''],
    ["'2026-03-01T00:00:00Z'", ''],
    ['2026-03-01T00:00:00Z', '2026-03-01T10:00:00Z'],
    ["'2026-03-01T00:00:00Z'", "'2026-03-02T00:00:00Z'"],
    ["'2026-03-01T10:00:00Z'", "'2026-03-01T09:00:00Z'"],
    ["'yesterday'", "'today'"],
  ])('refuses the window %s to %s', async (start, end) => {
    expect((await log(start, end)).status).toBe(400);
  });

  test.each(["Activity ne 'ViewReport'", "Activity eq 'x' or UserId eq 'y'", "ItemName eq 'x'", 'Activity'])(
    'refuses the filter %s',
    async (filter) => {
      const times = ["'2026-03-01T00:00:00Z'", "'2026-03-01T10:00:00Z'"] as const;
      expect((await log(...times, filter)).status).toBe(400);
    },
  );

  test('selects by time, activity and user', async () => {
    const event = (CreationTime: string, Activity: string, UserId: string) => ({
      CreationTime,
      Activity,
      UserId,
    });
    await emulator.control('POST', '/content', {
      workspaces: [],
      activities: [
        event('2026-03-01T08:00:00Z', 'ViewReport', 'ada@vitrine.example'),
        event('2026-03-01T09:00:00', 'ViewReport', 'ben@vitrine.example'),
        event('2026-03-01T09:30:00Z', 'ExportReport', 'ada@vitrine.example'),
        event('2026-03-02T08:00:00Z', 'ViewReport', 'ada@vitrine.example'),
      ],
    });
    const found = async (start: string, filter?: string) => {
      const { body } = await log(`'2026-03-01T${start}'`, "'2026-03-01T23:59:59Z'", filter);
      return body.activityEventEntities.map(({ CreationTime }) => String(CreationTime).slice(11, 16));
    };
    expect(await found('00:00:00')).toEqual(['08:00', '09:00', '09:30']);
    expect(await found('08:30:00Z')).toEqual(['09:00', '09:30']);
    expect(await found('00:00:00', "Activity eq 'viewreport'")).toEqual(['08:00', '09:00']);
    expect(await found('00:00:00', "UserId eq 'ada@vitrine.example' and Activity eq 'ExportReport'")).toEqual(
      ['09:30'],
    );
  });

  test('continues with a token', async () => {
    const activities = [1, 2, 3].map((hour) => ({
      CreationTime: `2026-03-01T0${hour}:00:00Z`,
      Activity: 'ViewReport',
    }));
    await emulator.control('POST', '/content', { workspaces: [], activities });
    await emulator.set({ activity_page_size: 2 });
    const first = (await log("'2026-03-01T00:00:00Z'", "'2026-03-01T23:00:00Z'")).body;
    expect(first).toMatchObject({ activityEventEntities: [{}, {}], lastResultSet: false });
    expect(first.continuationUri).toContain(
      `/admin/activityevents?continuationToken='${first.continuationToken}'`,
    );
    for (const token of [`'${first.continuationToken}'`, String(first.continuationToken)]) {
      const { body } = await emulator.get<Log>(`/admin/activityevents?continuationToken=${token}`);
      expect(body).toMatchObject({ activityEventEntities: [{}], lastResultSet: true });
      expect(body).not.toHaveProperty('continuationToken');
    }
    expect((await emulator.get("/admin/activityevents?continuationToken='x'")).status).toBe(400);
    await emulator.set({ guesses: { last_continuation: 'null', activity_extras: 'absent' } });
    const last = await emulator.get<Log>(
      `/admin/activityevents?continuationToken='${first.continuationToken}'`,
    );
    expect(last.body).toMatchObject({ continuationUri: null, continuationToken: null });
    expect(last.body).not.toHaveProperty('lastResultSet');
  });

  test('names a service principal as the guess says, and needs the admin switch', async () => {
    await emulator.set({ guesses: { activity_user: 'object_id' } });
    await tokenFor('Pipeline');
    expect(await events(`UserId eq '${demoPrincipalObjectId}'`)).toHaveLength(1);
    await emulator.set({ admin_switch: false });
    expect((await log("'2026-03-01T00:00:00Z'", "'2026-03-01T01:00:00Z'")).status).toBe(401);
  });
});

test('the demo tenant has a history of views', async () => {
  await emulator.reset();
  const days = [0, 1, 2].map((back) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10));
  const logs = await Promise.all(days.map((day) => log(`'${day}T00:00:00Z'`, `'${day}T23:59:59Z'`)));
  const views = logs
    .flatMap(({ body }) => body.activityEventEntities)
    .filter(({ Activity }) => Activity === 'ViewReport');
  expect(views.length).toBeGreaterThan(5);
  expect(views[0]).toMatchObject({ WorkSpaceName: expect.any(String), ReportName: expect.any(String) });
});
