import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Group } from '../../src/access/groups/group.entity.js';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import { vitrine, vitrineJson, vitrineProcess } from '../support/cli.js';
import { type Service, startService } from '../support/service.js';

interface Body {
  grants: { holder: { name: string }; role: string }[];
  role: string;
  error: { code: string; detail: string };
}

interface Invited {
  workspaces: object[];
  reports: object[];
  groups: string[];
}

let service: Service;
let sales: Workspace;
let revenue: Report;
let ada: User;
let team: Group;
const json = (...args: string[]) => vitrineJson<Body>(service.environment, 'grants', ...args);

beforeAll(async () => {
  service = await startService();
  sales = await service.factory.workspace();
  revenue = await service.factory.report(sales);
  ada = await service.factory.user({ name: 'Ada' });
  team = await service.factory.group({ name: 'Team' }, [ada]);
});
afterAll(() => service.close());

test('set, list and remove: people by email or id, groups by name, on a workspace or a report', async () => {
  const onSales = ['--workspace', sales.id];
  const onRevenue = ['--report', revenue.id];
  const expires = ['--expires', '2099-12-31'];
  expect((await json('list', ...onSales)).body.grants).toEqual([]);
  expect(await service.database.query(`SELECT FROM users WHERE name = 'Command line'`)).toEqual([]);
  expect((await json('set', ...onSales, '--user', ada.email, '--role', 'manager')).body.role).toBe('manager');
  expect((await json('set', ...onRevenue, '--group', 'team', ...expires)).body).toMatchObject({
    holder: { type: 'group', name: 'Team' },
    role: 'viewer',
    expires_at: '2099-12-31T23:59:59.999Z',
  });
  expect((await json('list', ...onSales)).body.grants.map(({ holder }) => holder.name)).toEqual(['Ada']);
  const { stdout } = await vitrineProcess(service.environment, ['grants', 'list', ...onRevenue]);
  expect(stdout).toMatch(
    /^TYPE\s+ID\s+NAME\s+EMAIL\s+ROLE\s+SOURCE\s+EXPIRES_AT\ngroup\s+\S+\s+Team\s+-\s+viewer\s+manual\s+2099/,
  );
  expect((await json('remove', ...onSales, '--user', ada.id)).code).toBe(0);
  expect((await json('list', ...onSales)).body.grants).toEqual([]);
});

test('workspaces and reports are named by their name, unless several have it', async () => {
  const { factory } = service;
  const finance = await factory.workspace({ name: 'Finance: EMEA' });
  const costs = await factory.report(finance, { name: 'Costs' });
  const onFinance = ['--workspace', 'finance:  emea'];
  expect((await json('set', ...onFinance, '--user', ada.email)).body.role).toBe('viewer');
  expect((await json('list', ...onFinance)).body.grants.map(({ holder }) => holder.name)).toEqual(['Ada']);
  expect((await json('remove', ...onFinance, '--user', ada.email)).code).toBe(0);
  expect((await json('set', '--report', 'Costs', '--user', ada.email)).code).toBe(0);
  const reader = await service.as(ada);
  const { body: seen } = await reader.get<{ reports: { id: string }[] }>('/api/reports');
  expect(seen.reports.map(({ id }) => id)).toContain(costs.id);
  const twin = await factory.report(sales, { name: 'costs' });
  const { code, body } = await json('list', '--report', 'Costs');
  expect([code, body.error.code]).toEqual([3, 'conflict']);
  expect(body.error.detail).toContain(costs.id);
  expect(body.error.detail).toContain(twin.id);
  expect((await json('list', '--workspace', 'Cost')).body.error.code).toBe('workspace_not_found');
  expect((await json('list', '--report', 'Cost')).body.error.code).toBe('report_not_found');
  const invite = (...args: string[]) =>
    vitrineJson<Invited>(service.environment, 'invite', 'linus@example.com', ...args);
  const invited = await invite(
    '--workspace',
    'Finance: EMEA:editor',
    '--report',
    revenue.id,
    '--group',
    'team',
  );
  expect(invited.body).toMatchObject({
    workspaces: [{ workspace_id: finance.id, role: 'editor' }],
    reports: [{ report_id: revenue.id, role: 'viewer' }],
    groups: [team.id],
  });
});

test('names may be longer than a search term', async () => {
  const { factory } = service;
  const long = `${'📈'.repeat(201)} ${'a'.repeat(197)}`;
  const regions = await factory.workspace({ name: `${long}1` });
  await factory.workspace({ name: `${long}2` });
  const margins = await factory.report(regions, { name: `${long}1` });
  await factory.report(regions, { name: `${long}2` });
  expect((await json('set', '--workspace', `${long}1`, '--user', ada.email)).code).toBe(0);
  expect((await json('list', '--workspace', regions.id)).body.grants).toHaveLength(1);
  expect((await json('set', '--report', `${long}1`, '--user', ada.email)).code).toBe(0);
  expect((await json('list', '--report', margins.id)).body.grants).toHaveLength(1);
  expect((await json('list', '--workspace', long)).body.error.code).toBe('workspace_not_found');
});

test('ids in upper case name the same as in lower case, also in the audit trail', async () => {
  const upper = ({ id }: { id: string }): string => id.toUpperCase();
  const toAda = ['set', '--workspace', upper(sales), '--user', upper(ada)];
  expect((await json(...toAda)).body).toMatchObject({ holder: { type: 'user', name: 'Ada' } });
  const toTeam = ['set', '--report', upper(revenue), '--group', upper(team)];
  expect((await json(...toTeam)).body).toMatchObject({ holder: { type: 'group', name: 'Team' } });
  const [{ trail }] = await service.database.query(
    `SELECT string_agg(concat(target_id, details), ' ') AS trail FROM audit_events`,
  );
  for (const each of [sales, ada, revenue, team]) {
    expect(trail).toContain(each.id);
    expect(trail).not.toContain(upper(each));
  }
  expect((await json('remove', '--workspace', upper(sales), '--user', upper(ada))).code).toBe(0);
  expect((await json('remove', '--report', upper(revenue), '--group', upper(team))).code).toBe(0);
});

test('exit code 3 for what does not exist or is invalid, 2 for a wrong use', async () => {
  const codeOf = async (...args: string[]) => {
    const { code, body } = await json(...args);
    return [code, body.error.code];
  };
  const onReport = ['--report', revenue.id];
  expect(await codeOf('set', ...onReport, '--user', ada.id, '--role', 'manager')).toEqual([
    3,
    'invalid_request',
  ]);
  expect(await codeOf('set', ...onReport, '--user', 'missing@example.com')).toEqual([3, 'user_not_found']);
  expect(await codeOf('remove', ...onReport, '--user', ada.id)).toEqual([3, 'grant_not_found']);
  expect(await codeOf('list', '--workspace', revenue.id)).toEqual([3, 'workspace_not_found']);
  for (const args of [['list'], ['set', ...onReport], ['list', '--workspace']]) {
    expect((await vitrine(service.environment, ['grants', ...args])).code).toBe(2);
  }
});
