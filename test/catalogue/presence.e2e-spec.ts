import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { demoPrincipalAs, idOf } from '@vitrine/power-bi-emulator';
import type { Client } from '../support/client.js';
import { lockRows } from '../support/row-lock.js';
import { type Service, startService } from '../support/service.js';
import { callsTo, setContent, syncOnce } from '../support/syncing.js';
import { until } from '../support/until.js';

let service: Service;
let admin: Client;

beforeEach(async () => {
  service = await startService();
  admin = await service.asAdmin();
});
afterEach(() => service.close());

interface Named {
  id: string;
  name: string;
  report_count: number;
}

const names = async () =>
  (await admin.get<{ workspaces: Named[] }>('/api/workspaces')).body.workspaces.map(({ name }) => name);
const one = { name: 'Sales', reports: [{ name: 'Revenue' }], datasets: [{ name: 'Sales' }] };
const other = { name: 'Finance', reports: [{ name: 'Cash flow' }] };
const seed = (...workspaces: object[]) => setContent(service, { workspaces });

describe('a workspace that is missing from the list', () => {
  test('takes its datasets with it, and brings them back', async () => {
    const ledger = { name: 'Ledger' };
    const datasets = async () =>
      (await admin.get<{ datasets: Named[] }>('/api/datasets')).body.datasets.map(({ name }) => name);
    await seed(one, { ...other, datasets: [ledger] });
    await syncOnce(admin);
    expect(await datasets()).toEqual(['Ledger', 'Sales']);
    await seed(one);
    await syncOnce(admin);
    await syncOnce(admin);
    expect(await datasets()).toEqual(['Sales']);
    await seed(one, { ...other, datasets: [ledger] });
    await syncOnce(admin);
    expect(await datasets()).toEqual(['Ledger', 'Sales']);
  });

  test('keeps its content when the principal has lost its role', async () => {
    await seed(one, other);
    await syncOnce(admin);
    await seed(one, { ...other, members: [] });
    for (let n = 0; n < 3; n += 1) {
      expect(await syncOnce(admin)).toMatchObject({
        status: 'partial',
        workspaces_seen: 2,
        workspaces_failed: 1,
        errors: [{ pbi_workspace_id: idOf('workspace', 2), code: 'power_bi_access_denied' }],
      });
    }
    expect(await names()).toEqual(['Finance', 'Sales']);
  });

  test('is retired only after Power BI confirms that it does not exist', async () => {
    await seed(one, other);
    await syncOnce(admin);
    await seed(one);
    await service.powerBi.post('/__emulator/faults', {
      path: `groups/${idOf('workspace', 2)}$`,
      status: 500,
    });
    await syncOnce(admin);
    await syncOnce(admin);
    expect(await names()).toEqual(['Finance', 'Sales']);
    await service.powerBi.delete('/__emulator/faults');
    await syncOnce(admin);
    await syncOnce(admin);
    expect(await names()).toEqual(['Sales']);
  });

  test('is synced when it was only omitted from the list', async () => {
    await seed(one, other);
    await syncOnce(admin);
    const body = { value: [{ id: idOf('workspace', 1), name: 'Sales' }] };
    await service.powerBi.post('/__emulator/faults', { path: '/groups$', status: 200, body });
    expect(await syncOnce(admin)).toMatchObject({ status: 'succeeded', workspaces_seen: 2, changes: 0 });
  });
});

test('a workspace that returns has no reports until they are read', async () => {
  const count = async () => (await admin.get<{ workspaces: Named[] }>('/api/workspaces?q=Finance')).body;
  for (const workspaces of [[one, other], [one], [one]]) {
    await seed(...workspaces);
    await syncOnce(admin);
  }
  await seed(one, other);
  await service.powerBi.post('/__emulator/faults', {
    path: `groups/${idOf('workspace', 2)}/reports$`,
    status: 500,
  });
  expect(await syncOnce(admin)).toMatchObject({ status: 'partial', workspaces_failed: 1 });
  expect(await count()).toMatchObject({ workspaces: [{ name: 'Finance', report_count: 0 }] });
  await service.powerBi.delete('/__emulator/faults');
  expect(await syncOnce(admin)).toMatchObject({ status: 'succeeded' });
  expect(await count()).toMatchObject({ workspaces: [{ name: 'Finance', report_count: 1 }] });
});

test('POWERBI_CATALOGUE=admin: a workspace is read by id when the pages omit it, and retired when it is deleted', async () => {
  await service.close();
  service = await startService({ POWERBI_CATALOGUE: 'admin' });
  admin = await service.asAdmin();
  await seed(one, other);
  await syncOnce(admin);
  await seed(one, { ...other, reports: [{ name: 'Cash flow' }, { name: 'Budget' }] });
  const body = { value: [{ id: idOf('workspace', 1), name: 'Sales' }] };
  for (let n = 0; n < 2; n += 1) {
    await service.powerBi.post('/__emulator/faults', { path: '/groups$', status: 200, body, times: 1 });
    expect(await syncOnce(admin)).toMatchObject({ status: 'succeeded', workspaces_seen: 2 });
  }
  expect(await names()).toEqual(['Finance', 'Sales']);
  const { body: found } = await admin.get<{ reports: Named[] }>('/api/reports?q=Budget');
  expect(found.reports).toHaveLength(1);
  await seed(one);
  for (let n = 0; n < 2; n += 1)
    expect(await syncOnce(admin)).toMatchObject({ status: 'succeeded', workspaces_seen: 1 });
  expect(await names()).toEqual(['Sales']);
});

test('a report that was moved is immediately absent from its old workspace', async () => {
  const moved = { name: 'Payroll', id: idOf('report', 9, 9) };
  const [from, to] = [{ ...one, reports: [...one.reports, moved] }, other];
  await seed(from, to);
  await syncOnce(admin);
  await seed(one, { ...other, reports: [...other.reports, moved] });
  await syncOnce(admin);
  const counts = (await admin.get<{ workspaces: Named[] }>('/api/workspaces?sort=name')).body.workspaces;
  expect(counts.map(({ report_count }) => report_count)).toEqual([2, 1]);
  const { body } = await admin.get<{ reports: { name: string }[] }>('/api/reports?q=Payroll');
  expect(body.reports).toHaveLength(1);
});

test('a report is moved while grants on its old workspace change', async () => {
  const moved = { name: 'Payroll', id: idOf('report', 9, 9) };
  await seed({ ...one, reports: [...one.reports, moved] }, other);
  await syncOnce(admin);
  const { body } = await admin.get<{ workspaces: Named[] }>('/api/workspaces?sort=name');
  const [to, from] = body.workspaces.map(({ id }) => id);
  await seed(one, { ...other, reports: [...other.reports, moved] });
  const lock = 'SELECT FROM workspaces WHERE id = $1 FOR SHARE';
  const { release } = await lockRows(service.databaseUrl, lock, [from]);
  const sync = syncOnce(admin);
  try {
    await until(async () => {
      const found = await admin.get<{ reports: object[] }>(`/api/reports?q=Payroll&workspace_id=${to}`);
      return found.body.reports.length === 1;
    });
  } finally {
    await release();
  }
  await sync;
});

describe('ids', () => {
  test('are compared case-insensitively', async () => {
    await seed(one, other);
    await syncOnce(admin);
    const ids = () =>
      service.database.query(`SELECT id FROM workspaces UNION ALL SELECT id FROM reports
        UNION ALL SELECT id FROM datasets ORDER BY id`);
    const before = await ids();
    const upper = (id: string) => ({ id: id.toUpperCase() });
    await seed(
      {
        ...one,
        ...upper(idOf('workspace', 1)),
        reports: [{ name: 'Revenue', ...upper(idOf('report', 1, 1)) }],
        datasets: [{ name: 'Sales', ...upper(idOf('dataset', 1, 1)) }],
      },
      other,
    );
    // The address to embed from is written as Power BI writes it.
    expect(await syncOnce(admin)).toMatchObject({ status: 'succeeded', changes: 1 });
    expect(await ids()).toEqual(before);
  });

  test('are stored once when pages repeat them', async () => {
    const value = Array.from({ length: 1000 }, () => ({ id: idOf('workspace', 1), name: 'Sales' }));
    await seed(one);
    await service.powerBi.post('/__emulator/faults', {
      path: '/groups$',
      status: 200,
      body: { value },
      times: 1,
    });
    expect(await syncOnce(admin)).toMatchObject({ status: 'succeeded', workspaces_seen: 1, reports_seen: 1 });
  });
});

describe('service principal profiles', () => {
  const profile = 'f0000001-0000-4000-8000-000000000001';
  const deputy = demoPrincipalAs('Admin');
  const profiles = [{ id: profile, displayName: 'North', servicePrincipalId: deputy.identifier }];
  const northern = { ...other, members: [{ ...deputy, profile: { id: profile, displayName: 'North' } }] };

  test.each(['all', profile])(
    'POWERBI_PROFILES=%s: their workspaces are synced and embedded with the profile',
    async (which) => {
      await service.close();
      service = await startService({ POWERBI_PROFILES: which });
      admin = await service.asAdmin();
      await setContent(service, { profiles, workspaces: [one, northern] });
      expect(await syncOnce(admin)).toMatchObject({
        status: 'succeeded',
        workspaces_seen: 2,
        reports_seen: 2,
      });
      await service.powerBi.delete('/__emulator/calls');
      const { body } = await admin.get<{ reports: Named[] }>('/api/reports?sort=name');
      for (const { id } of body.reports) {
        expect((await admin.post(`/api/reports/${id}/embed-token`)).status).toBe(200);
      }
      const asked = await callsTo(service, /GenerateToken/);
      expect(asked.map((call) => call.profile)).toEqual([profile, undefined]);
    },
  );

  const startWithProfile = async (...workspaces: object[]): Promise<void> => {
    await service.close();
    service = await startService({ POWERBI_PROFILES: profile });
    admin = await service.asAdmin();
    await setContent(service, { profiles, workspaces });
    await syncOnce(admin);
  };
  const usedProfiles = () =>
    service.database.query('SELECT pbi_profile_id AS id FROM workspaces ORDER BY name');
  const both = { ...northern, members: [...northern.members, { ...deputy }] };

  test('a profile that is temporarily not listed leaves its workspaces unchanged, also if another can access them', async () => {
    await startWithProfile(one, northern);
    await setContent(service, { profiles, workspaces: [one, both] });
    // The first list, that of the service principal, is complete.
    await service.powerBi.post('/__emulator/faults', { path: '/groups$', status: 200, body: 'OK', every: 2 });
    expect(await syncOnce(admin)).toMatchObject({ status: 'partial', workspaces_failed: 1, changes: 0 });
    expect(await usedProfiles()).toEqual([{ id: profile }, { id: null }]);
  });

  test('a profile that was deleted leaves its workspaces to another that can access them', async () => {
    await startWithProfile(one, northern);
    await setContent(service, { profiles: [], workspaces: [one, both] });
    expect(await syncOnce(admin)).toMatchObject({ status: 'succeeded', workspaces_failed: 0 });
    expect(await usedProfiles()).toEqual([{ id: null }, { id: null }]);
  });

  test('a profile that cannot be listed keeps its content', async () => {
    await startWithProfile(one, northern);
    await setContent(service, { profiles: [], workspaces: [one, northern] });
    for (let n = 0; n < 2; n += 1) {
      expect(await syncOnce(admin)).toMatchObject({ status: 'partial', workspaces_failed: 1 });
    }
    expect(await names()).toEqual(['Finance', 'Sales']);
  });

  test('POWERBI_CATALOGUE=admin keeps the profiles of workspaces, also of those that change or return', async () => {
    await service.close();
    service = await startService({ POWERBI_CATALOGUE: 'admin', POWERBI_PROFILES: profile });
    admin = await service.asAdmin();
    await setContent(service, { profiles, workspaces: [one, northern] });
    await syncOnce(admin);
    // As after a sync by roles.
    await service.database.query(`UPDATE workspaces SET pbi_profile_id = $1 WHERE name = 'Finance'`, [
      profile,
    ]);
    const grown = { ...northern, reports: [...northern.reports, { name: 'Budget' }] };
    for (const workspaces of [[one, grown], [one], [one], [one, grown]]) {
      await setContent(service, { profiles, workspaces });
      expect(await syncOnce(admin)).toMatchObject({ status: 'succeeded' });
    }
    const { body } = await admin.get<{ reports: Named[] }>('/api/reports?sort=name');
    expect(body.reports.map(({ name }) => name)).toEqual(['Budget', 'Cash flow', 'Revenue']);
    for (const { id } of body.reports)
      expect((await admin.post(`/api/reports/${id}/embed-token`)).status).toBe(200);
    const asked = await callsTo(service, /GenerateToken/);
    expect(asked.map((call) => call.profile)).toEqual([profile, profile, undefined]);
  });
});
