import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EmulatorClient, type Named } from '../support/emulator-client.js';

interface AdminGroups {
  '@odata.count': number;
  value: (Named & { reports: object[]; users: object[] })[];
}

let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

describe('GET /admin/groups', () => {
  test('requires $top, and lists every workspace of the tenant', async () => {
    expect((await emulator.get('/admin/groups')).status).toBe(400);
    expect((await emulator.get('/admin/groups?$top=5001')).status).toBe(400);
    const { body } = await emulator.get<AdminGroups>('/admin/groups?$top=5000');
    expect(body['@odata.count']).toBe(9);
    expect(body.value.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Board', 'PersonalWorkspace Dana']),
    );
    expect(body.value[0]).toMatchObject({ type: 'Workspace', state: 'Active' });
    expect(body.value[0]).not.toHaveProperty('reports');
  });

  test('expands the requested relations', async () => {
    const path = '/admin/groups?$top=1&$expand=reports,datasets,users';
    const { body } = await emulator.get<AdminGroups>(path);
    expect(body.value[0]).toMatchObject({ name: 'Sales', datasets: [{}, {}, {}] });
    expect(body.value[0]).not.toHaveProperty('dashboards');
    expect(body.value[0]!.reports).toHaveLength(6);
    expect(body.value[0]!.reports[0]).toMatchObject({ workspaceId: body.value[0]!.id });
    expect((await emulator.get('/admin/groups?$top=1&$expand=secrets')).status).toBe(400);
  });

  test.each([
    ["type eq 'PersonalGroup'", ['PersonalWorkspace Dana']],
    ["state eq 'Deleted'", []],
    ['not users/any()', []],
    [
      "(not users/any(u: u/groupUserAccessRight eq Microsoft.PowerBI.ServiceContracts.Api.GroupUserAccessRight'Admin')) or name eq 'Board'",
      ['Board'],
    ],
  ])('filters by %s', async (filter, names) => {
    const { body } = await emulator.get<AdminGroups>(
      `/admin/groups?$top=10&$filter=${encodeURIComponent(filter)}`,
    );
    expect(body.value.map(({ name }) => name)).toEqual(names);
  });

  test('can write ids in upper case', async () => {
    await emulator.set({ guesses: { admin_id_case: 'upper' } });
    const { body } = await emulator.get<AdminGroups>('/admin/groups?$top=1&$expand=reports');
    expect(body.value[0]).toMatchObject({ id: 'A0000001-0000-4000-8000-000000000000' });
    expect(body.value[0]!.reports[0]).toMatchObject({ id: 'B0000001-0000-4000-8000-000000000001' });
  });

  test('is forbidden when the admin switch is off', async () => {
    await emulator.set({ admin_switch: false });
    expect((await emulator.get('/admin/groups?$top=1')).status).toBe(401);
    expect((await emulator.get('/groups')).status).toBe(200);
  });
});

describe('other admin lists', () => {
  test('one group, its reports, and all reports', async () => {
    const { id } = await emulator.workspace('Sales');
    expect((await emulator.get(`/admin/groups/${id}?$expand=users`)).body).toMatchObject({
      id,
      users: [{}, {}],
    });
    const mine = await emulator.get<{ value: object[] }>(`/admin/groups/${id}/reports`);
    expect(mine.body.value).toHaveLength(6);
    expect(mine.body.value[0]).toMatchObject({ workspaceId: id, createdDateTime: expect.any(String) });
    expect((await emulator.get<{ value: object[] }>('/admin/reports')).body.value).toHaveLength(24);
  });
});

describe('the scanner', () => {
  test('scans workspaces as a job', async () => {
    await emulator.set({ job_seconds: 60 });
    const { id } = await emulator.workspace('Sales');
    const started = await emulator.post<{ id: string }>('/admin/workspaces/getInfo?getArtifactUsers=true', {
      workspaces: [id],
    });
    expect(started).toMatchObject({ status: 202, body: { status: 'NotStarted' } });
    const status = `/admin/workspaces/scanStatus/${started.body.id}`;
    expect(started.headers.get('location')).toBe(`${emulator.url}/v1.0/myorg${status}`);
    const result = `/admin/workspaces/scanResult/${started.body.id}?getArtifactUsers=true`;
    expect((await emulator.get(result)).status).toBe(404);
    await emulator.advance(30);
    expect((await emulator.get(status)).body).toMatchObject({ status: 'Running' });
    await emulator.advance(30);
    expect((await emulator.get(status)).body).toMatchObject({ status: 'Succeeded' });
    const { body } = await emulator.get<{ workspaces: { reports: object[] }[] }>(result);
    expect(body.workspaces).toMatchObject([{ id, name: 'Sales', state: 'Active' }]);
    expect(body.workspaces[0]!.reports[0]).not.toHaveProperty('embedUrl');
  });

  test('accepts up to a hundred workspaces', async () => {
    const workspaces = Array.from({ length: 101 }, () => crypto.randomUUID());
    expect((await emulator.post('/admin/workspaces/getInfo', { workspaces })).status).toBe(400);
    expect((await emulator.post('/admin/workspaces/getInfo', { workspaces: [] })).status).toBe(400);
  });

  test('lists the workspaces changed since a time half an hour to thirty days ago', async () => {
    const modified = async (minutes: number) => {
      const at = (await emulator.control<{ now: string }>('GET', '/')).body.now;
      const since = new Date(Date.parse(at) - minutes * 60_000).toISOString();
      return emulator.get<Named[]>(`/admin/workspaces/modified?modifiedSince=${since}`);
    };
    expect((await modified(29)).status).toBe(400);
    expect((await modified(31 * 24 * 60)).status).toBe(400);
    expect((await modified(40)).body).toEqual([]);
    const { body } = await emulator.post<Named>('/groups', { name: 'Fresh' });
    expect((await modified(40)).body).toEqual([{ id: body.id }]);
    const active = '/admin/workspaces/modified?excludePersonalWorkspaces=true';
    expect((await emulator.get<Named[]>(active)).body).toHaveLength(9);
  });
});
