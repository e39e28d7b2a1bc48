import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Group } from '../../src/access/groups/group.entity.js';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import { type Client, comparable } from '../support/client.js';
import { downloadReview, linesOf } from './review-file.js';
import { type Service, startService } from '../support/service.js';
import { issue } from '../usage/usage-api.js';

interface Line {
  user: { id: string; name: string; status: string };
  resource: { type: string; id: string | null; name: string | null };
  role: string;
  path: string[];
  source: string | null;
  granted_by: { id: string } | null;
  last_token_at: string | null;
}

let service: Service;
let admin: Client;
let root: User;
let [ada, ben]: User[] = [];
let [sales, finance]: Workspace[] = [];
let [revenue, pipeline]: Report[] = [];
let outer: Group;
let inner: Group;

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0' });
  const { factory } = service;
  root = await factory.admin({ name: 'Root' });
  admin = await service.as(root);
  [ada, ben] = [
    await factory.user({ name: '=Ada' }),
    await factory.user({ name: 'Ben', status: 'disabled' }),
  ];
  [sales, finance] = [
    await factory.workspace({ name: 'Sales' }),
    await factory.workspace({ name: 'Finance' }),
  ];
  [revenue, pipeline] = [await factory.report(sales), await factory.report(sales)];
  [outer, inner] = [await factory.group({ name: 'Outer' }), await factory.group({ name: 'Inner' })];
  await admin.put(`/api/groups/${outer.id}/members/groups/${inner.id}`);
  await admin.put(`/api/groups/${inner.id}/members/users/${ben.id}`);
  await admin.put(`/api/workspaces/${sales.id}/grants/users/${ada.id}`, { role: 'manager' });
  await admin.put(`/api/workspaces/${finance.id}/grants/users/${ada.id}`, { role: 'viewer' });
  await admin.put(`/api/reports/${revenue.id}/grants/groups/${outer.id}`, { role: 'editor' });
  await issue(service, ben, revenue);
});
afterAll(() => service.close());

const download = (by: Client, query: string, Accept?: string) => downloadReview(service, by, query, Accept);
const review = async (by: Client, query = ''): Promise<Line[]> =>
  linesOf(await (await download(by, query)).text());
const brief = ({ user, resource, role, path }: Line) => [
  user.name,
  resource.name ?? resource.type,
  role,
  path,
];

describe('GET /api/access/review', () => {
  test('an admin reviews everything: grants with their paths, and the access of admins', async () => {
    const lines = await review(admin);
    expect(lines.map(brief)).toEqual(
      expect.arrayContaining([
        ['Root', 'everything', 'admin', []],
        ['=Ada', 'Sales', 'manager', []],
        ['=Ada', 'Finance', 'viewer', []],
        ['Ben', revenue?.name, 'editor', ['Outer', 'Inner']],
      ]),
    );
    expect(lines.find(({ user }) => user.id === ben?.id)).toMatchObject({
      user: { status: 'disabled', email: ben?.email },
      resource: { type: 'report', workspace_name: 'Sales' },
      group_id: outer.id,
      source: 'manual',
      granted_by: { id: root.id, name: 'Root' },
      granted_at: expect.any(String),
      expires_at: null,
      last_token_at: expect.any(String),
    });
  });

  test.each<[string, () => string, string[]]>([
    ['a workspace', () => `?workspace_id=${finance?.id}`, ['=Ada', 'Root']],
    ['a report, also through its workspace', () => `?report_id=${revenue?.id}`, ['=Ada', 'Ben', 'Root']],
    ['another report', () => `?report_id=${pipeline?.id}`, ['=Ada', 'Root']],
    ['a group', () => `?group_id=${outer.id}`, ['Ben']],
    ['a group without grants of its own', () => `?group_id=${inner.id}`, ['Ben']],
    ['a user', () => `?user_id=${ada?.id}`, ['=Ada', '=Ada']],
  ])('can be limited to %s', async (_name, query, names) => {
    expect((await review(admin, query())).map(({ user }) => user.name).toSorted()).toEqual(names);
  });

  test('the line of an admin shows when they opened something that the review is about', async () => {
    const [inSales, elsewhere] = [service.clock.now(), service.clock.in(1)];
    await issue(service, root, pipeline!, { at: inSales });
    await issue(service, root, await service.factory.report(finance!), { at: elsewhere });
    const manager = await service.as(ada!);
    const lastOf = async (by: Client, query: string) =>
      (await review(by, query)).find(({ user }) => user.id === root.id)?.last_token_at;
    expect(await lastOf(manager, `?workspace_id=${sales?.id}`)).toBe(inSales.toISOString());
    expect(await lastOf(manager, `?report_id=${pipeline?.id}`)).toBe(inSales.toISOString());
    expect(await lastOf(manager, `?report_id=${revenue?.id}`)).toBeNull();
    expect(await lastOf(admin, '')).toBe(elsewhere.toISOString());
  });

  test('CSV has the same lines, and no cell is a formula', async () => {
    const response = await download(admin, '', 'text/csv');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="access-review.csv"');
    const [header, ...rows] = (await response.text()).trim().split('\r\n');
    expect(header).toMatch(/^user_id,user_name,.*,last_token_at$/);
    expect(rows).toHaveLength((await review(admin)).length);
    expect(rows).toContainEqual(expect.stringMatching(/,Ben,.*,editor,Outer > Inner,manual,/));
    expect(rows.filter((row) => row.includes(",'=Ada,"))).toHaveLength(2);
  });

  test('a manager reviews their workspaces only; others and unknown ones give the same response', async () => {
    const manager = await service.as(ada as User);
    expect((await review(manager, `?workspace_id=${sales?.id}`)).map(brief)).toContainEqual([
      'Ben',
      revenue?.name,
      'editor',
      ['Outer', 'Inner'],
    ]);
    for (const [query, status] of [
      ['', 403],
      [`?workspace_id=${finance?.id}`, 403],
      [`?workspace_id=${(await service.factory.workspace()).id}`, 404],
      [`?workspace_id=${root.id}`, 404],
      [`?group_id=${outer.id}`, 403],
      ['?workspace_id=1', 400],
    ] as const) {
      expect([query, (await manager.get(`/api/access/review${query}`)).status]).toEqual([query, status]);
    }
    const ofGroup = (id: string) =>
      manager.get(`/api/access/review?workspace_id=${sales?.id}&group_id=${id}`);
    const [hidden, unknown] = [await ofGroup(inner.id), await ofGroup(root.id)];
    expect(hidden).toMatchObject({ status: 404, body: { code: 'group_not_found' } });
    expect(comparable(hidden)).toEqual(comparable(unknown));
  });
});
