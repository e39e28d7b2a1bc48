import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Group } from '../../src/access/groups/group.entity.js';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import { pagesOf } from '../groups/group-api.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';

interface Grants {
  grants: { holder: { type: string; id: string; name: string }; role: string; source: string }[];
}
interface Reports {
  reports: { id: string; name: string }[];
}
interface Workspaces {
  workspaces: { id: string; report_count: number }[];
}

let service: Service;
let admin: Client;
let adminUser: User;
let ada: User;
let client: Client;
let sales: Workspace;
let revenue: Report;
let pipeline: Report;
let team: Group;

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0' });
  adminUser = await service.factory.admin({ name: 'Root' });
  admin = await service.as(adminUser);
});
afterAll(() => service.close());
beforeEach(async () => {
  const { factory } = service;
  ada = await factory.user({ name: 'Ada' });
  client = await service.as(ada);
  sales = await factory.workspace();
  revenue = await factory.report(sales, { name: 'Revenue' });
  pipeline = await factory.report(sales, { name: 'Pipeline' });
  team = await factory.group({}, [ada]);
});

const sql = (text: string, ...values: unknown[]) => service.database.query<unknown[]>(text, values);
const onWorkspace = (kind: 'users' | 'groups', id: string, workspace = sales): string =>
  `/api/workspaces/${workspace.id}/grants/${kind}/${id}`;
const onReport = (kind: 'users' | 'groups', id: string, report = revenue): string =>
  `/api/reports/${report.id}/grants/${kind}/${id}`;
const inOneHour = () => new Date(service.clock.now().getTime() + 3_600_000);
const reportsOf = async (by: Client, query = ''): Promise<string[]> =>
  (await by.get<Reports>(`/api/reports?limit=1000${query}`)).body.reports.map(({ name }) => name);
const visibleWorkspace = async (by: Client, { id }: Workspace) =>
  (await by.get<Workspaces>('/api/workspaces')).body.workspaces.find((each) => each.id === id);

describe.each([
  ['a workspace', onWorkspace, () => `/api/workspaces/${sales.id}/grants`],
  ['a report', onReport, () => `/api/reports/${revenue.id}/grants`],
] as const)('grants on %s', (_name, pathFor, listPath) => {
  const grantByRule = async (userId: string): Promise<void> => {
    await sql(
      `INSERT INTO grants (user_id, workspace_id, report_id, source, role, created_at)
       VALUES ($1, $2, $3, 'provider', 'viewer', now())`,
      userId,
      sales.id,
      listPath().includes('/reports/') ? revenue.id : null,
    );
  };

  test('200: PUT grants a person or a group a role, GET lists it, and DELETE removes it', async () => {
    const body = { role: 'editor', expires_at: inOneHour().toISOString() };
    const granted = {
      role: 'editor',
      source: 'manual',
      granted_by: { id: adminUser.id, name: 'Root' },
      expires_at: expect.stringContaining('T'),
      created_at: expect.any(String),
    };
    const toAda = { ...granted, holder: { type: 'user', id: ada.id, name: 'Ada', email: ada.email } };
    const toTeam = { ...granted, holder: { type: 'group', id: team.id, name: team.name, email: null } };
    expect(await admin.put(pathFor('users', ada.id), body)).toMatchObject({ status: 200, body: toAda });
    expect(await admin.put(pathFor('groups', team.id), body)).toMatchObject({ status: 200, body: toTeam });
    expect((await admin.get<Grants>(listPath())).body.grants).toEqual(
      expect.arrayContaining([expect.objectContaining(toAda), expect.objectContaining(toTeam)]),
    );
    for (const path of [pathFor('users', ada.id), pathFor('groups', team.id)]) {
      expect(await admin.delete(path)).toMatchObject({ status: 204 });
      expect(await admin.delete(path)).toMatchObject({ status: 404, body: { code: 'grant_not_found' } });
    }
    expect((await admin.get<Grants>(listPath())).body.grants).toEqual([]);
  });

  test('GET pages by name, and searches names and email addresses', async () => {
    const zoe = await service.factory.user({ name: 'Zoe' });
    for (const path of [pathFor('users', zoe.id), pathFor('users', ada.id), pathFor('groups', team.id)])
      await admin.put(path, { role: 'viewer' });
    await grantByRule(ada.id);
    const names: string[] = [];
    for (let path: string | undefined = `${listPath()}?limit=1`; path !== undefined;) {
      const { body, headers }: Awaited<ReturnType<typeof admin.get<Grants>>> = await admin.get<Grants>(path);
      names.push(...body.grants.map(({ holder }) => holder.name));
      path = /<([^>]+)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1];
    }
    expect(names).toEqual(['Ada', 'Ada', team.name, 'Zoe'].toSorted((a, b) => a.localeCompare(b)));
    const found = async (query: string) =>
      (await admin.get<Grants>(`${listPath()}?${query}`)).body.grants.map(({ holder }) => holder.name);
    expect(await found(`q=${encodeURIComponent(zoe.email)}`)).toEqual(['Zoe']);
    expect(await found('sort=-name&limit=1')).toEqual([names.at(-1)]);
  });

  test('PUT replaces the role, and records a change only once', async () => {
    await admin.put(pathFor('users', ada.id), { role: 'viewer' });
    await admin.put(pathFor('users', ada.id), { role: 'editor' });
    await admin.put(pathFor('users', ada.id), { role: 'editor' });
    const events = await sql(
      `SELECT FROM audit_events WHERE action = 'grant_set' AND target_id = $1`,
      ada.id,
    );
    expect(events).toHaveLength(2);
    expect((await admin.get<Grants>(listPath())).body.grants).toMatchObject([{ role: 'editor' }]);
  });

  test('a manual grant and one of a rule, of the same holder and time, are both listed on pages of one', async () => {
    await admin.put(pathFor('users', ada.id), { role: 'viewer' });
    await sql(
      `INSERT INTO grants (workspace_id, report_id, user_id, source, role, created_at)
       SELECT workspace_id, report_id, user_id, 'provider', 'editor', created_at FROM grants
       WHERE coalesce(report_id, workspace_id) = $1`,
      listPath().includes('/reports/') ? revenue.id : sales.id,
    );
    const pages = await pagesOf<Grants>(admin, `${listPath()}?limit=1`);
    const sources = pages.map(({ grants }) => grants.map(({ source }) => source));
    expect(sources).toEqual([['manual'], ['provider']]);
    expect((await admin.put(pathFor('users', ada.id), { role: 'editor' })).body).toMatchObject({
      role: 'editor',
      source: 'manual',
    });
  });

  test.each([
    ['role', { role: 'owner' }],
    ['expires_at', { role: 'viewer', expires_at: '2020-01-01' }],
  ])('400: a wrong %s is named', async (field, body) => {
    expect(await admin.put(pathFor('groups', team.id), body)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: `/${field}` }] },
    });
  });

  test('404: unknown people, groups and targets', async () => {
    const body = { role: 'viewer' };
    expect(await admin.put(pathFor('users', uuidv7()), body)).toMatchObject({
      status: 404,
      body: { code: 'user_not_found' },
    });
    expect(await admin.put(pathFor('groups', uuidv7()), body)).toMatchObject({
      status: 404,
      body: { code: 'group_not_found' },
    });
  });

  test('a grant of a rule is listed with its source and not removed', async () => {
    await grantByRule(ada.id);
    expect((await admin.get<Grants>(listPath())).body.grants).toMatchObject([{ source: 'provider' }]);
    expect((await admin.delete(pathFor('users', ada.id))).status).toBe(404);
  });
});

describe('a grant on one report', () => {
  test('shows the workspace with the number of visible reports, and nothing else of it', async () => {
    expect((await admin.put(onReport('groups', team.id), { role: 'viewer' })).status).toBe(200);
    expect(await visibleWorkspace(client, sales)).toMatchObject({ report_count: 1 });
    expect(await client.get(`/api/workspaces/${sales.id}`)).toMatchObject({ body: { report_count: 1 } });
    expect(await reportsOf(client)).toEqual(['Revenue']);
    expect(await reportsOf(client, `&workspace_id=${sales.id}`)).toEqual(['Revenue']);
    expect((await client.get(`/api/reports/${pipeline.id}`)).status).toBe(404);
    expect((await client.get(`/api/workspaces/${sales.id}/members`)).status).toBe(403);
    await admin.put(onWorkspace('users', ada.id), { role: 'viewer' });
    expect(await visibleWorkspace(client, sales)).toMatchObject({ report_count: 2 });
    expect(await reportsOf(client)).toEqual(['Pipeline', 'Revenue']);
  });

  test('400: the role manager does not exist on a report', async () => {
    expect((await admin.put(onReport('users', ada.id), { role: 'manager' })).status).toBe(400);
  });

  test('follows the report when the sync renames, retires and restores it', async () => {
    await admin.put(onReport('users', ada.id), { role: 'viewer' });
    await admin.put(onReport('users', ada.id, pipeline), { role: 'viewer' });
    await sql(`UPDATE reports SET name = 'A name that is now first' WHERE id = $1`, revenue.id);
    expect(await reportsOf(client)).toEqual(['A name that is now first', 'Pipeline']);
    await sql('UPDATE reports SET retired_at = now() WHERE id = $1', revenue.id);
    expect(await reportsOf(client)).toEqual(['Pipeline']);
    expect(await visibleWorkspace(client, sales)).toMatchObject({ report_count: 1 });
    await sql('UPDATE reports SET retired_at = NULL WHERE id = $1', revenue.id);
    expect(await reportsOf(client)).toEqual(['A name that is now first', 'Pipeline']);
  });

  test.each(['name', '-name', 'updated_at', '-updated_at'])(
    'a list by %s that is read in pages contains each report once, whatever number of paths leads to it',
    async (sort) => {
      const { factory } = service;
      const other = await factory.group({}, [ada]);
      const names: string[] = [];
      for (let n = 10; n < 20; n += 1) {
        const report = await factory.report(sales, { name: `Report ${n}`, updatedAt: new Date(n * 1000) });
        names.push(report.name);
        for (const group of [team, other])
          await admin.put(onReport('groups', group.id, report), { role: 'viewer' });
        if (n % 2 === 0) await admin.put(onReport('users', ada.id, report), { role: 'viewer' });
      }
      const found: string[] = [];
      for (let path = `/api/reports?limit=3&sort=${sort}`; path !== '';) {
        const { body, headers } = await client.get<Reports>(path);
        found.push(...body.reports.map(({ name }) => name));
        path = /^<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
      }
      expect(found).toEqual(sort.startsWith('-') ? names.toReversed() : names);
      expect(await reportsOf(client, '&q=report 13')).toEqual(['Report 13']);
    },
  );
});

describe('a manager', () => {
  let chief: User;
  let manager: Client;
  beforeEach(async () => {
    chief = await service.factory.user();
    manager = await service.as(chief);
  });

  test('whose role comes from a group grants no longer than that grant lasts', async () => {
    const managers = await service.factory.group({}, [chief]);
    const expires_at = inOneHour().toISOString();
    await admin.put(onWorkspace('groups', managers.id), { role: 'manager', expires_at });
    await admin.put(onWorkspace('users', ada.id), { role: 'viewer' });
    expect(await manager.put(onReport('users', ada.id), { role: 'editor' })).toMatchObject({
      status: 200,
      body: { expires_at },
    });
  });

  test('finds people and groups only if they share a workspace: others and unknown ones give the same response', async () => {
    await service.factory.grant(chief, sales, 'manager');
    const body = { role: 'viewer' };
    for (const pathFor of [onWorkspace, onReport]) {
      const responses = [
        await manager.put(pathFor('users', ada.id), body),
        await manager.put(pathFor('users', uuidv7()), body),
        await manager.put(pathFor('groups', team.id), body),
        await manager.put(pathFor('groups', uuidv7()), body),
      ].map(({ status, body: { code } }: { status: number; body: { code?: string } }) => [status, code]);
      const [user, group] = [
        [404, 'user_not_found'],
        [404, 'group_not_found'],
      ];
      expect(responses).toEqual([user, user, group, group]);
    }
    await admin.put(onReport('groups', team.id), body);
    await service.factory.grant(ada, sales);
    expect((await manager.put(onReport('users', ada.id), body)).status).toBe(200);
    expect((await manager.put(onReport('groups', team.id), body)).status).toBe(200);
  });

  test('cannot change anything outside the workspaces they manage: every write × every target', async () => {
    const { factory } = service;
    await factory.grant(chief, sales, 'manager');
    const foreign = await factory.workspace();
    const foreignReport = await factory.report(foreign);
    await factory.grant(chief, await factory.workspace(), 'viewer');
    const seen = await factory.workspace();
    const seenReport = await factory.report(seen);
    await factory.grant(chief, seen, 'editor');
    const before = await sql(
      'SELECT * FROM grants WHERE report_id IS NULL ORDER BY workspace_id, user_id, group_id, source',
    );
    const attacks: [string, string, object?][] = [foreign, seen].flatMap((workspace) =>
      (['users', 'groups'] as const).flatMap((kind): [string, string, object?][] => {
        const id = kind === 'users' ? chief.id : team.id;
        const report = workspace === seen ? seenReport : foreignReport;
        return [
          ['PUT', onWorkspace(kind, id, workspace), { role: 'manager' }],
          ['DELETE', onWorkspace(kind, id, workspace)],
          ['PUT', onReport(kind, id, report), { role: 'editor' }],
          ['DELETE', onReport(kind, id, report)],
        ];
      }),
    );
    attacks.push(
      ['PUT', `/api/workspaces/${foreign.id}/members/${chief.id}`, { role: 'manager' }],
      ['PUT', `/api/workspaces/${seen.id}/members/${chief.id}`, { role: 'manager' }],
      ['DELETE', `/api/workspaces/${foreign.id}/members/${chief.id}`],
      ['DELETE', `/api/workspaces/${seen.id}/members/${chief.id}`],
      ['PATCH', `/api/workspaces/${foreign.id}/settings`, { viewers_can_export: false }],
      ['PATCH', `/api/workspaces/${seen.id}/settings`, { viewers_can_export: false }],
      ['PUT', `/api/groups/${team.id}/members/groups/${team.id}`],
      ['DELETE', `/api/groups/${team.id}/members/groups/${team.id}`],
      ['POST', '/api/groups', { name: 'Mine' }],
      ['PATCH', `/api/groups/${team.id}`, { name: 'Mine' }],
      ['DELETE', `/api/groups/${team.id}`],
      ['PUT', `/api/groups/${team.id}/members/users/${chief.id}`],
      ['DELETE', `/api/groups/${team.id}/members/users/${ada.id}`],
      ['POST', `/api/groups/${team.id}/members`, { users: [chief.id] }],
      ['GET', `/api/groups/${team.id}/members`],
      ['GET', `/api/reports/${foreignReport.id}/viewers`],
      ['GET', `/api/reports/${seenReport.id}/viewers`],
      ['GET', `/api/reports/${seenReport.id}/grants`],
      ['GET', `/api/workspaces/${seen.id}/grants`],
    );
    for (const [method, path, body] of attacks) {
      const { status } = await manager.send(method, path, { body });
      expect({ method, path, isRefused: [403, 404].includes(status) || status }).toEqual({
        method,
        path,
        isRefused: true,
      });
    }
    expect(
      await sql(
        'SELECT * FROM grants WHERE report_id IS NULL ORDER BY workspace_id, user_id, group_id, source',
      ),
    ).toEqual(before);
    expect(await sql('SELECT FROM grants WHERE report_id IS NOT NULL AND granted_by = $1', chief.id)).toEqual(
      [],
    );
  });
});

describe('who can see a report', () => {
  test('names each viewer with the strongest role and the groups that lead to it', async () => {
    const { factory } = service;
    const [ben, eve] = [
      await factory.user({ name: 'Ben' }),
      await factory.user({ name: 'Eve', status: 'disabled' }),
    ];
    const outer = await factory.group({ name: `Outer ${uuidv7()}` });
    const inner = await factory.group({ name: `Inner ${uuidv7()}` });
    await admin.put(`/api/groups/${outer.id}/members/groups/${inner.id}`);
    for (const { id } of [ben, eve]) await admin.put(`/api/groups/${inner.id}/members/users/${id}`);
    await admin.put(onWorkspace('groups', outer.id), { role: 'manager' });
    await admin.put(onReport('users', ben.id), { role: 'viewer' });
    await admin.put(onReport('users', ada.id), { role: 'viewer' });
    const { body } = await admin.get<{ viewers: { role: string }[] }>(`/api/reports/${revenue.id}/viewers`);
    expect(body.viewers.filter(({ role }) => role !== 'admin')).toEqual([
      { user_id: ada.id, name: 'Ada', email: ada.email, role: 'viewer', path: [] },
      { user_id: ben.id, name: 'Ben', email: ben.email, role: 'manager', path: [outer.name, inner.name] },
    ]);
    expect(body.viewers).toContainEqual(expect.objectContaining({ user_id: adminUser.id, role: 'admin' }));
    const explained = await admin.get(`/api/access/explain?user_id=${ben.id}&report_id=${revenue.id}`);
    expect(explained.body).toMatchObject({
      allowed: true,
      access: 'edit',
      grant: { role: 'manager', report_id: null },
      paths: [
        {
          role: 'manager',
          groups: [{ name: outer.name }, { name: inner.name }],
          decides: true,
          expired: false,
        },
        { role: 'viewer', report_id: revenue.id, groups: [], decides: false },
      ],
    });
  });
});

test('ids in upper case are the same ids: for rights, and in the audit trail', async () => {
  const workspace = await service.factory.workspace();
  const manager = await service.asMember(workspace, 'manager');
  const user = await service.factory.user();
  await service.factory.grant(user, workspace, 'viewer');
  const path = `/api/workspaces/${workspace.id.toUpperCase()}/grants`;
  expect((await manager.get(path)).status).toBe(200);
  expect((await manager.put(`${path}/users/${user.id.toUpperCase()}`, { role: 'editor' })).status).toBe(200);
  const trail = await (
    await service.asAdmin()
  ).get<{ audit_events: object[] }>(`/api/audit-events?action=grant_set&target_id=${user.id}`);
  expect(JSON.stringify(trail.body)).toContain(workspace.id);
});
