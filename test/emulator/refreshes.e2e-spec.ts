import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EmulatorClient } from '../support/emulator-client.js';

let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
beforeEach(async () => {
  await emulator.reset();
  await emulator.set({ job_seconds: 100, entra_token_seconds: 1_000_000 });
  await emulator.signIn();
});
afterAll(() => emulator.close());

describe('refreshing a dataset', () => {
  test('is accepted without a body, and listed in the history', async () => {
    const group = await emulator.workspace('Sales');
    const { id } = await emulator.dataset('Sales', 'Sales');
    const path = `/groups/${group.id}/datasets/${id}/refreshes`;
    const started = await emulator.post(path, { notifyOption: 'NoNotification' });
    expect([started.status, started.text, started.headers.get('location')]).toEqual([202, '', null]);
    expect((await emulator.get(`${path}?$top=1`)).body).toMatchObject({
      value: [{ refreshType: 'ViaApi', status: 'Unknown' }],
    });
    await emulator.advance(100);
    expect((await emulator.get(`${path}?$top=1`)).body).toMatchObject({
      value: [{ status: 'Completed', endTime: expect.any(String) }],
    });
    expect((await emulator.get(`${path}?$top=0`)).status).toBe(400);
  });

  test('of the enhanced kind can be polled and cancelled', async () => {
    const group = await emulator.workspace('Sales');
    const { id } = await emulator.dataset('Sales', 'Sales');
    const path = `/groups/${group.id}/datasets/${id}/refreshes`;
    const { headers } = await emulator.post(path, { type: 'Full', commitMode: 'Transactional' });
    const refresh = `${path}/${headers.get('x-ms-request-id')}`;
    expect(headers.get('location')).toBe(`${emulator.url}/v1.0/myorg${refresh}`);
    await emulator.advance(50);
    expect(await emulator.get(refresh)).toMatchObject({
      status: 202,
      body: { extendedStatus: 'InProgress' },
    });
    expect((await emulator.rest('DELETE', refresh)).status).toBe(200);
    expect(await emulator.get(refresh)).toMatchObject({ status: 200, body: { extendedStatus: 'Cancelled' } });
  });

  test('while another one runs is rejected', async () => {
    const group = await emulator.workspace('Sales');
    const { id } = await emulator.dataset('Sales', 'Sales');
    const path = `/groups/${group.id}/datasets/${id}/refreshes`;
    const { headers } = await emulator.post(path, { type: 'Full' });
    expect(await emulator.post(path)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('Another refresh request is already executing') } },
    });
    const other = await emulator.dataset('Sales', 'Sales by region');
    expect((await emulator.post(`/groups/${group.id}/datasets/${other.id}/refreshes`)).status).toBe(202);
    await emulator.rest('DELETE', `${path}/${headers.get('x-ms-request-id')}`);
    expect((await emulator.post(path)).status).toBe(202);
    await emulator.set({ guesses: { refresh_running: 'accepted' } });
    expect((await emulator.post(path)).status).toBe(202);
  });

  test.each([
    ['Trials', 'Trial sales', 8],
    ['Sales', 'Sales by region', 9],
  ])('more than eight times a day in %s', async (workspace, dataset, accepted) => {
    await emulator.set({ job_seconds: 0 });
    const group = await emulator.workspace(workspace);
    const { id } = await emulator.dataset(workspace, dataset);
    const path = `/groups/${group.id}/datasets/${id}/refreshes`;
    const refresh = async () => (await emulator.post(path)).status;
    for (let n = 0; n < 8; n += 1) expect(await refresh()).toBe(202);
    await emulator.set({ documented_limits: true });
    expect(await refresh()).toBe(accepted === 8 ? 400 : 202);
    await emulator.advance(24 * 3600);
    await emulator.signIn();
    expect(await refresh()).toBe(202);
  });

  test('before the start is in the history of the demo content, newest first', async () => {
    const group = await emulator.workspace('Finance');
    const { id } = await emulator.dataset('Finance', 'General ledger');
    const path = `/groups/${group.id}/datasets/${id}/refreshes`;
    const { body } = await emulator.get<{ value: { status: string; endTime: string }[] }>(path);
    expect(body.value.map(({ status }) => status)).toEqual(['Failed', 'Failed', 'Completed']);
    expect((await emulator.get<{ value: object[] }>(`${path}?$top=1`)).body.value).toEqual([body.value[0]]);
  });

  test('before the start is taken from a seed, relative to its time', async () => {
    const datasets = [
      {
        refreshes: [
          { status: 'Completed', minutesAgo: 10 },
          { status: 'Unknown', minutesAgo: 1 },
        ],
      },
    ];
    await emulator.control('POST', '/content', { workspaces: [{ datasets }] });
    const group = await emulator.workspace('Workspace 1');
    const { id } = await emulator.dataset('Workspace 1', 'Dataset 1');
    const { body } = await emulator.get<{ value: { status: string; startTime: string; endTime?: string }[] }>(
      `/groups/${group.id}/datasets/${id}/refreshes`,
    );
    expect(body.value).toMatchObject([{ status: 'Unknown' }, { status: 'Completed' }]);
    expect(body.value[0]?.endTime).toBeUndefined();
    expect(Math.abs(Date.parse(body.value[1]?.endTime ?? '') - Date.now() + 5 * 60_000)).toBeLessThan(60_000);
  });

  test('does not apply to a DirectQuery dataset, which alone has a schedule of queries', async () => {
    const group = await emulator.workspace('Operations');
    const { id } = await emulator.dataset('Operations', 'Deliveries');
    const path = `/groups/${group.id}/datasets/${id}`;
    expect((await emulator.get<{ value: object[] }>(`${path}/refreshes`)).body.value).toEqual([]);
    expect(await emulator.get(`${path}/directQueryRefreshSchedule`)).toMatchObject({
      status: 200,
      body: { frequency: 60, localTimeZoneId: 'UTC' },
    });
    const sales = await emulator.workspace('Sales');
    const imported = await emulator.dataset('Sales', 'Sales');
    const schedule = `/groups/${sales.id}/datasets/${imported.id}/directQueryRefreshSchedule`;
    expect((await emulator.get(schedule)).status).toBe(400);
  });

  test('is listed for all datasets on a capacity by the admin API', async () => {
    const path = '/admin/capacities/refreshables';
    expect((await emulator.get(path)).status).toBe(400);
    const { body } = await emulator.get<{ value: { name: string; lastRefresh: { status: string } }[] }>(
      `${path}?$top=10`,
    );
    expect(body.value.map(({ name, lastRefresh }) => [name, lastRefresh.status])).toEqual([
      ['Sales', 'Completed'],
      ['General ledger', 'Failed'],
      ['Headcount', 'Completed'],
    ]);
    expect((await emulator.get<{ value: object[] }>(`${path}?$top=10&$skip=1`)).body.value).toHaveLength(2);
  });
});
