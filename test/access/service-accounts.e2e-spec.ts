import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Group } from '../../src/access/groups/group.entity.js';
import { Report } from '../../src/reports/report.entity.js';
import { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';

interface Account {
  id: string;
  name: string;
  client_secret: string;
}
interface Rows {
  [list: string]: Record<string, unknown>[];
}

let service: Service;
let admin: Client;
let revenue: Report;
let account: Account;
let machine: Client;
let team: Group;

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_SIGN_IN_PER_IP: '0', RATE_LIMIT_API_PER_MINUTE: '0' });
  await service.sync();
  admin = await service.asAdmin();
  revenue = await service.database.getRepository(Report).findOneByOrFail({ name: 'Revenue overview' });
});
afterAll(() => service.close());
beforeEach(async () => {
  account = (await admin.post<Account>('/api/service-accounts', { name: 'Nightly' })).body;
  machine = await as(account);
  team = await service.factory.group({ name: `Machines ${account.id}` });
});

const as = async ({ id, client_secret }: Account): Promise<Client> => {
  const credentials = { grant_type: 'client_credentials', client_id: id, client_secret };
  const { body } = await service.api.post<{ access_token: string }>('/api/auth/token', credentials);
  return new Client(service.url, body.access_token);
};
const embeds = async (): Promise<number> =>
  (await machine.post(`/api/reports/${revenue.id}/embed-token`)).status;
const listed = async (path: string, list: string): Promise<Record<string, unknown>[]> =>
  (await admin.get<Rows>(path)).body[list] ?? [];
const viewer = async () =>
  (await listed(`/api/reports/${revenue.id}/viewers?limit=1000`, 'viewers')).find(
    ({ user_id }) => user_id === account.id,
  );
const explained = () => admin.get(`/api/access/explain?user_id=${account.id}&report_id=${revenue.id}`);
const reviewed = async (): Promise<Record<string, unknown>[]> => {
  const headers = { authorization: `Bearer ${admin.token}` };
  const response = await fetch(`${service.url}/api/access/review?user_id=${account.id}`, { headers });
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};

/** Ways to give the account access to the report, and the path through groups that each has. */
const ways: [string, () => Promise<{ status: number }>, () => string[]][] = [
  [
    'a grant on the report',
    () => admin.put(`/api/reports/${revenue.id}/grants/users/${account.id}`, { role: 'viewer' }),
    () => [],
  ],
  [
    'a grant on the workspace',
    () => admin.put(`/api/workspaces/${revenue.workspaceId}/grants/users/${account.id}`, { role: 'viewer' }),
    () => [],
  ],
  [
    'a group that holds a grant on the report',
    async () => {
      await admin.put(`/api/reports/${revenue.id}/grants/groups/${team.id}`, { role: 'viewer' });
      return admin.put(`/api/groups/${team.id}/members/users/${account.id}`);
    },
    () => [team.name],
  ],
  [
    'a group in a group that holds a grant on the workspace',
    async () => {
      const outer = await service.factory.group({ name: `Outer ${account.id}` });
      await admin.put(`/api/workspaces/${revenue.workspaceId}/grants/groups/${outer.id}`, { role: 'viewer' });
      await admin.put(`/api/groups/${outer.id}/members/groups/${team.id}`);
      return admin.post(`/api/groups/${team.id}/members`, { users: [account.id] });
    },
    () => [`Outer ${account.id}`, team.name],
  ],
];

describe.each(ways)('a service account with %s', (_name, give, path) => {
  test('embeds the report and is in every list, like a person', async () => {
    expect(await embeds()).toBe(404);
    expect([200, 204]).toContain((await give()).status);
    expect(await embeds()).toBe(200);
    expect((await machine.get<Rows>('/api/workspaces')).body.workspaces).toMatchObject([
      { id: revenue.workspaceId },
    ]);
    expect(await viewer()).toMatchObject({ name: 'Nightly', role: 'viewer', path: path() });
    expect((await explained()).body).toMatchObject({ allowed: true, reason: 'grant' });
    expect(await listed(`/api/users/${account.id}/grants`, 'grants')).toMatchObject([{ path: path() }]);
    expect(await reviewed()).toMatchObject([{ user: { id: account.id, email: null }, role: 'viewer' }]);
  });

  test('disabled: sees nothing and is no viewer, but keeps what it holds; enabled again it sees the report', async () => {
    await give();
    await admin.patch(`/api/service-accounts/${account.id}`, { status: 'disabled' });
    expect(await embeds()).toBe(401);
    expect(await viewer()).toBeUndefined();
    expect((await explained()).body).toMatchObject({ allowed: false, reason: 'user_disabled' });
    expect(await reviewed()).toMatchObject([{ user: { status: 'disabled' } }]);
    await admin.patch(`/api/service-accounts/${account.id}`, { status: 'active' });
    machine = await as(account);
    expect(await embeds()).toBe(200);
  });

  test('deleted: nothing remains of its grants and memberships', async () => {
    await give();
    expect((await admin.delete(`/api/service-accounts/${account.id}`)).status).toBe(204);
    expect(await embeds()).toBe(401);
    for (const table of ['grants', 'group_edges']) {
      expect(await service.database.query(`SELECT FROM ${table} WHERE user_id = $1`, [account.id])).toEqual(
        [],
      );
    }
    expect(await viewer()).toBeUndefined();
    expect((await explained()).status).toBe(404);
    expect((await admin.get(`/api/users/${account.id}/grants`)).status).toBe(404);
    expect(await reviewed()).toEqual([]);
    expect(await listed(`/api/groups/${team.id}/members?effective=true`, 'members')).toEqual([]);
    expect((await admin.get(`/api/groups/${team.id}`)).body.member_count).toBe(0);
  });
});

describe('a deleted service account', () => {
  test('404 and 400: can neither join a group nor hold a grant', async () => {
    await admin.delete(`/api/service-accounts/${account.id}`);
    const role = { role: 'viewer' };
    const refused = [
      await admin.put(`/api/reports/${revenue.id}/grants/users/${account.id}`, role),
      await admin.put(`/api/workspaces/${revenue.workspaceId}/grants/users/${account.id}`, role),
      await admin.put(`/api/groups/${team.id}/members/users/${account.id}`),
      await admin.post(`/api/groups/${team.id}/members`, { users: [account.id] }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 400]);
  });
});

describe('a service account that manages', () => {
  test('a workspace: lists, grants and removes there, and nowhere else', async () => {
    const { factory } = service;
    const [own, other] = [await factory.workspace(), await factory.workspace()];
    const [report, foreign] = [await factory.report(own), await factory.report(other)];
    const ada = await factory.user();
    await admin.put(`/api/workspaces/${own.id}/grants/users/${account.id}`, { role: 'manager' });
    await admin.put(`/api/workspaces/${own.id}/grants/users/${ada.id}`, { role: 'viewer' });
    const path = ({ id }: Report) => `/api/reports/${id}/grants/users/${ada.id}`;
    expect(await machine.put(path(report), { role: 'editor' })).toMatchObject({
      status: 200,
      body: { granted_by: { id: account.id, name: 'Nightly' } },
    });
    expect((await machine.get(`/api/reports/${report.id}/viewers`)).status).toBe(200);
    expect((await machine.delete(path(report))).status).toBe(204);
    expect((await machine.put(path(foreign), { role: 'editor' })).status).toBe(404);
    expect((await machine.get('/api/groups')).status).toBe(403);
  });
});
