import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { demoWorkspaces } from '@vitrine/power-bi-emulator';
import { WorkspacesService } from '../src/workspaces/workspaces.service.js';
import type { Client } from './support/client.js';
import { endConnection } from './support/owner.js';
import { type Service, startService } from './support/service.js';
import { until } from './support/until.js';

interface Run {
  id: string;
  status: string;
  changes: number;
  workspaces_failed: number;
  errors: { pbi_workspace_id: string | null; code: string }[];
  finished_at: string | null;
}
interface Named {
  id: string;
  name: string;
  report_count: number;
}

let service: Service;
let admin: Client;

beforeEach(async () => {
  service = await startService();
  admin = await service.asAdmin();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await service.close();
});

async function sync(): Promise<Run> {
  const { id } = (await admin.post<Run>('/api/syncs')).body;
  return until(async () => {
    const { body } = await admin.get<Run>(`/api/syncs/${id}`);
    return body.finished_at !== null && body;
  });
}

const workspaces = async () => (await admin.get<{ workspaces: Named[] }>('/api/workspaces')).body.workspaces;
const reports = async () => (await admin.get<{ reports: Named[] }>('/api/reports')).body.reports;
const names = (rows: Named[]) => rows.map(({ name }) => name);

const user = { identifier: 'dana@vitrine.example', principalType: 'User', groupUserAccessRight: 'Admin' };
const us = {
  identifier: 'deadbeef-0000-4000-8000-000000000003',
  principalType: 'App',
  groupUserAccessRight: 'Admin',
};
const workspace = (number: number, name: string, reportNames: string[]) => ({
  id: `a000000${number}-0000-4000-8000-000000000000`,
  name,
  type: 'Workspace',
  state: 'Active',
  members: [user, us],
  datasets: [],
  reports: reportNames.map((report, index) => ({
    id: `b000000${number}-0000-4000-8000-00000000000${index + 1}`,
    name: report,
    reportType: 'PowerBIReport',
    pages: [],
  })),
});
const content = (...seed: object[]) => service.powerBi.post('/__emulator/content', { workspaces: seed });

/** Every row of the catalogue with its version, so that a write that changes nothing would show as well. */
const rows = () =>
  service.database.query(`SELECT id, xmin::text FROM workspaces UNION ALL
    SELECT id, xmin::text FROM reports UNION ALL SELECT id, xmin::text FROM datasets ORDER BY id`);

describe('the catalogue sync', () => {
  test('stores what the service principal can see, with the number of reports', async () => {
    await sync();
    const visible = demoWorkspaces.filter(({ principal, type }) => principal && type !== 'PersonalGroup');
    const expected = visible.map(({ name, reports: { length } }) => ({ name, report_count: length }));
    const found = (await workspaces()).map(({ name, report_count }) => ({ name, report_count }));
    expect(found).toEqual(expected.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
  });

  test('writes no row when nothing has changed', async () => {
    await sync();
    const before = await rows();
    expect(await sync()).toMatchObject({ status: 'succeeded', changes: 0 });
    expect(await rows()).toEqual(before);
  });

  test('applies renames and moves, and keeps ids', async () => {
    await content(workspace(1, 'Sales', ['Revenue', 'Pipeline']));
    await sync();
    const before = await reports();
    await content(workspace(1, 'Sales EMEA', ['Revenue', 'Pipeline 2']));
    expect(await sync()).toMatchObject({ status: 'succeeded' });
    const [renamed] = await workspaces();
    expect(renamed).toMatchObject({ name: 'Sales EMEA', report_count: 2 });
    const idOf = (list: Named[], name: string) => list.find((row) => row.name === name)?.id;
    expect(idOf(await reports(), 'Pipeline 2')).toBe(idOf(before, 'Pipeline'));
  });

  test('keeps an item missing once, retires it when missing twice, and restores it with its id', async () => {
    await content(workspace(1, 'Sales', ['Revenue', 'Pipeline']));
    await sync();
    const before = await reports();
    await content(workspace(1, 'Sales', ['Revenue']));
    await sync();
    expect(names(await reports())).toEqual(['Pipeline', 'Revenue']);
    expect(await workspaces()).toMatchObject([{ report_count: 2 }]);
    await sync();
    expect(names(await reports())).toEqual(['Revenue']);
    expect(await workspaces()).toMatchObject([{ report_count: 1 }]);
    await content(workspace(1, 'Sales', ['Revenue', 'Pipeline']));
    await sync();
    expect(await reports()).toMatchObject(before.map(({ id, name }) => ({ id, name })));
  });

  test('retires a missing workspace with its reports, and restores both', async () => {
    await content(workspace(1, 'Sales', ['Revenue']), workspace(2, 'Finance', ['Cash flow']));
    await sync();
    await content(workspace(1, 'Sales', ['Revenue']));
    await sync();
    expect(names(await workspaces())).toEqual(['Finance', 'Sales']);
    await sync();
    expect(names(await workspaces())).toEqual(['Sales']);
    expect(names(await reports())).toEqual(['Revenue']);
    await content(workspace(1, 'Sales', ['Revenue']), workspace(2, 'Finance', ['Cash flow']));
    await sync();
    expect(await workspaces()).toMatchObject([
      { name: 'Finance', report_count: 1 },
      { name: 'Sales', report_count: 1 },
    ]);
    expect(names(await reports())).toEqual(['Cash flow', 'Revenue']);
  });

  test('keeps the content of a workspace whose listing fails, and updates the others', async () => {
    await content(workspace(1, 'Sales', ['Revenue']), workspace(2, 'Finance', ['Cash flow']));
    await sync();
    await content(workspace(1, 'Sales', []), workspace(2, 'Finance', ['Cash flow', 'Budget']));
    await service.powerBi.post('/__emulator/faults', { path: 'a0000001-.*/reports$', status: 403 });
    for (let run = 0; run < 3; run += 1) {
      const { status, workspaces_failed, errors } = await sync();
      expect({ status, workspaces_failed }).toEqual({ status: 'partial', workspaces_failed: 1 });
      expect(errors).toMatchObject([
        { pbi_workspace_id: 'a0000001-0000-4000-8000-000000000000', code: 'power_bi_access_denied' },
      ]);
    }
    expect(names(await reports())).toEqual(['Budget', 'Cash flow', 'Revenue']);
  });

  test('is repeated when its connection to the database is lost between two statements', async () => {
    await content(workspace(1, 'Sales', ['Revenue']));
    const catalogue = service.app.get(WorkspacesService);
    const setReportCount = catalogue.setReportCount.bind(catalogue);
    jest.spyOn(catalogue, 'setReportCount').mockImplementationOnce(async (tx, id, count) => {
      await endConnection(service, tx);
      return setReportCount(tx, id, count);
    });
    expect(await sync()).toMatchObject({ status: 'succeeded', errors: [] });
    expect(await workspaces()).toMatchObject([{ name: 'Sales', report_count: 1 }]);
  });

  test('removes nothing when the list of workspaces fails', async () => {
    await sync();
    const before = await rows();
    await service.powerBi.post('/__emulator/faults', { path: '/groups$', status: 403 });
    expect(await sync()).toMatchObject({ status: 'failed', errors: [{ pbi_workspace_id: null }] });
    expect(await rows()).toEqual(before);
  });

  test('removes nothing after an invalid response', async () => {
    await sync();
    const before = await rows();
    for (const body of [{}, { value: null }, [], { value: [{ id: 'x' }] }]) {
      await service.powerBi.delete('/__emulator/faults');
      await service.powerBi.post('/__emulator/faults', { path: '/groups$', status: 200, body });
      expect(await sync()).toMatchObject({ status: 'failed' });
    }
    expect(await rows()).toEqual(before);
  });
});
