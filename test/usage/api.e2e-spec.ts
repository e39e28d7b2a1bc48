import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import { type Client, comparable } from '../support/client.js';
import { startInProcessReplica } from '../support/replicas.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';
import { plant, rollUp } from './figures.js';
import { issue, opening, send } from './usage-api.js';

/**
 * The worked example, computed by hand. Retail: reports R1, R2 and R3; Finance: report R4. Amy and Bob view Retail, Cat
 * is admin and views everything.
 *
 * | view | report | person | token | pages | failures | seconds | opening |
 * | ---- | ------ | ------ | ----- | ----- | -------- | ------- | ------- |
 * | 1    | R1     | Amy    | 1     | 2     | 0        | 100     | 1,100   |
 * | 2    | R1     | Amy    | 1     | 1     | 0        | 50      | 1,100   |
 * | 3    | R1     | Bob    | 1     | 1     | 0        | 30      | 1,100   |
 * | 4    | R1     | Cat    | 1     | 3     | 0        | 20      | 4,500   |
 * | 5    | R2     | Bob    | 2     | 1     | 1        | 10      | 1,100   |
 * | 6    | R4     | Cat    | 1     | 1     | 2        | 5       | 1,100   |
 *
 * R3 was not opened: Amy has a token for it, from a client that reports nothing.
 */
let service: Service;
let retail: Workspace;
let finance: Workspace;
let r1: Report;
let r2: Report;
let r3: Report;
let r4: Report;
let amy: User;
let bob: User;
let cat: User;
let max: User;
let admin: Client;
let manager: Client;
let viewer: Client;

const get = async <T = Record<string, unknown>>(api: Client, path: string): Promise<T> => {
  const response = await api.get<T>(`/api/usage/${path}`);
  expect([path, response.status, response.status === 200 ? '' : response.body]).toEqual([path, 200, '']);
  return response.body;
};

async function view(
  user: User,
  report: Report,
  fields: Partial<Parameters<typeof opening>[0]>,
  timesIssued = 1,
) {
  const token = await issue(service, user, report, { timesIssued });
  const api = await service.as(user);
  const { body } = await send(api, opening({ token, at: service.clock.now(), render: 1100, ...fields }));
  expect(body.rejected).toEqual([]);
}

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0' });
  service.clock.leaveEndOfDayAndHour();
  // The job of the start removes old views.
  await service.waitForJobs();
  const { factory } = service;
  [retail, finance] = [
    await factory.workspace({ name: 'Retail' }),
    await factory.workspace({ name: 'Finance' }),
  ];
  [r1, r2, r3] = [
    await factory.report(retail, { name: 'R1' }),
    await factory.report(retail, { name: 'R2' }),
    await factory.report(retail, { name: 'R3' }),
  ];
  r4 = await factory.report(finance, { name: 'R4' });
  [amy, bob] = [await factory.user({ name: 'Amy' }), await factory.user({ name: 'Bob' })];
  [cat, max] = [await factory.admin({ name: 'Cat' }), await factory.user({ name: 'Max' })];
  await factory.grant(amy, retail);
  await factory.grant(bob, retail);
  await factory.grant(max, retail, 'manager');
  await factory.grant(max, finance, 'viewer');
  [admin, manager, viewer] = [await service.as(cat), await service.as(max), await service.as(amy)];
  await view(amy, r1, { pages: ['p1', 'p2'], seconds: 100 });
  await view(amy, r1, { pages: ['p1'], seconds: 50 });
  await view(bob, r1, { pages: ['p1'], seconds: 30 });
  await view(cat, r1, { pages: ['p1', 'p2', 'p3'], seconds: 20, render: 4500 });
  await view(bob, r2, { pages: ['p1'], seconds: 10, errors: ['TokenExpired'] }, 2);
  await view(cat, r4, { pages: ['p1'], seconds: 5, errors: ['TokenExpired', 'QueryFailed'] });
  await issue(service, amy, r3);
  await rollUp(service);
});
afterAll(() => service.close());

const opened = { p50: expect.any(Number), p95: expect.any(Number) };

describe('the worked example', () => {
  test('overview of an admin', async () => {
    const body = await get(admin, 'overview');
    expect(body).toEqual({
      from: expect.stringMatching(/T00:00:00.000Z$/),
      to: expect.stringMatching(/T00:00:00.000Z$/),
      views: 6,
      issued_views: 8,
      viewers: 3,
      active_people: 3,
      page_views: 9,
      seconds: 215,
      failures: 3,
      opening_ms: { p50: 1150, p95: 4700 },
      load_ms: opened,
      buckets: expect.any(Array),
      previous: expect.objectContaining({ views: 0, issued_views: 0, viewers: 0, seconds: 0 }),
      failures_by_code: [
        { code: 'TokenExpired', count: 2 },
        { code: 'QueryFailed', count: 1 },
      ],
    });
    const buckets = body.buckets as { start: string; views: number; viewers: number }[];
    expect(buckets).toHaveLength(30);
    expect(buckets.at(-1)).toMatchObject({ views: 6, viewers: 3, issued_views: 8, seconds: 215 });
    expect(buckets.slice(0, -1).every(({ views, viewers }) => views === 0 && viewers === 0)).toBe(true);
    const days = Date.parse(body.to as string) - Date.parse(body.from as string);
    expect(days).toBe(30 * 86_400_000);
  });

  test('overview without admins', async () => {
    expect(await get(admin, 'overview?exclude_admins=true')).toMatchObject({
      views: 4,
      issued_views: 6,
      viewers: 2,
      active_people: 2,
      page_views: 5,
      seconds: 190,
      failures: 1,
    });
  });

  test('overview of a manager: their workspaces only', async () => {
    expect(await get(manager, 'overview')).toMatchObject({
      views: 5,
      issued_views: 7,
      viewers: 3,
      page_views: 8,
      seconds: 210,
      failures: 1,
    });
  });

  test.each(['hour', 'day', 'week', 'month'])('buckets by %s contain every view', async (bucket) => {
    for (const api of [admin, manager]) {
      const { views, issued_views, viewers, buckets } = await get<{
        views: number;
        issued_views: number;
        viewers: number;
        buckets: { views: number; issued_views: number; viewers: number }[];
      }>(api, `overview?bucket=${bucket}`);
      expect(buckets.reduce((sum, each) => sum + each.issued_views, 0)).toBe(issued_views);
      expect(buckets.reduce((sum, each) => sum + each.views, 0)).toBe(views);
      expect(Math.max(...buckets.map((each) => each.viewers))).toBe(viewers);
    }
  });

  test('reports, by views', async () => {
    const { reports } = await get<{ reports: object[] }>(admin, 'reports');
    const row = (report: Report, fields: object) => ({
      report_id: report.id,
      name: report.name,
      workspace_id: report.workspaceId,
      workspace_name: report.workspaceId === retail.id ? 'Retail' : 'Finance',
      previous_views: 0,
      views_over_time: [...Array.from({ length: 29 }, () => 0), (fields as { views: number }).views],
      last_viewed_at: expect.any(String),
      opening_ms: opened,
      load_ms: opened,
      ...fields,
    });
    const [first, ...rest] = reports as [object, ...{ name: string }[]];
    expect(first).toEqual(
      row(r1, { views: 4, issued_views: 4, viewers: 3, page_views: 7, seconds: 200, failures: 0 }),
    );
    expect(rest.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      row(r2, { views: 1, issued_views: 2, viewers: 1, page_views: 1, seconds: 10, failures: 1 }),
      row(r3, {
        views: 0,
        issued_views: 1,
        viewers: 0,
        page_views: 0,
        seconds: 0,
        failures: 0,
        opening_ms: { p50: null, p95: null },
        load_ms: { p50: null, p95: null },
      }),
      row(r4, { views: 1, issued_views: 1, viewers: 1, page_views: 1, seconds: 5, failures: 2 }),
    ]);
  });

  test('a report', async () => {
    const body = await get(admin, `reports/${r1.id}`);
    expect(body).toMatchObject({
      report_id: r1.id,
      name: 'R1',
      workspace_id: retail.id,
      views: 4,
      issued_views: 4,
      viewers: 3,
      page_views: 7,
      seconds: 200,
      failures: 0,
      opening_ms: { p50: 1167, p95: 4800 },
      pages: [
        { page: 'p1', views: 4 },
        { page: 'p2', views: 2 },
        { page: 'p3', views: 1 },
      ],
      people: [
        { user_id: amy.id, name: 'Amy', views: 2, seconds: 150 },
        { user_id: bob.id, name: 'Bob', views: 1, seconds: 30 },
        { user_id: cat.id, name: 'Cat', views: 1, seconds: 20 },
      ],
    });
  });

  test('a workspace, a person and the unused reports', async () => {
    expect(await get(manager, `workspaces/${retail.id}`)).toMatchObject({
      workspace_id: retail.id,
      name: 'Retail',
      views: 5,
      viewers: 3,
    });
    expect(await get(manager, `people/${bob.id}`)).toMatchObject({
      user_id: bob.id,
      name: 'Bob',
      views: 2,
      issued_views: 3,
      page_views: 2,
      seconds: 40,
      failures: 1,
      reports: [
        { report_id: r2.id, views: 1, issued_views: 2 },
        { report_id: r1.id, views: 1, issued_views: 1 },
      ],
    });
    // A token without a reported view.
    expect(await get(manager, `people/${amy.id}`)).toMatchObject({
      views: 2,
      issued_views: 3,
      reports: [{ name: 'R1' }, { name: 'R3', views: 0, issued_views: 1, seconds: 0, last_viewed_at: null }],
    });
    expect(await get(admin, 'unused')).toEqual({ reports: [] });
    service.clock.advance(91 * 86_400);
    try {
      const [api, ofManager] = [await service.as(cat), await service.as(max)];
      const { reports } = await get<{ reports: { name: string; grants_path: string }[] }>(api, 'unused');
      expect(reports.map(({ name }) => name)).toEqual(['R1', 'R2', 'R3', 'R4']);
      expect(reports[0]?.grants_path).toBe(`/api/reports/${r1.id}/grants`);
      const own = await get<{ reports: { name: string }[] }>(
        ofManager,
        'unused?sort=-last_viewed_at&limit=2',
      );
      expect(own.reports.map(({ name }) => name)).toEqual(['R3', 'R2']);
    } finally {
      service.clock.advance(-91 * 86_400);
    }
  });
});

describe('lists', () => {
  test('have pages in every order, and a search', async () => {
    for (const sort of [
      'name',
      'views',
      '-issued_views',
      'page_views',
      '-seconds',
      'failures',
      '-opening',
      'last_viewed_at',
    ]) {
      const names: string[] = [];
      for (let path = `/api/usage/reports?limit=1&sort=${sort}`; path !== '';) {
        const { body, headers } = await admin.get<{ reports: { name: string }[] }>(path);
        names.push(...body.reports.map(({ name }) => name));
        path = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
      }
      expect([sort, names.toSorted()]).toEqual([sort, ['R1', 'R2', 'R3', 'R4']]);
    }
    const found = await get<{ reports: object[] }>(admin, 'reports?q=R2');
    expect(found.reports).toHaveLength(1);
    const slowest = await get<{ reports: { name: string }[] }>(admin, 'reports?sort=-opening&limit=1');
    expect(slowest.reports.map(({ name }) => name)).toEqual(['R1']);
  });

  test('of workspaces contain those without views, by page, in every order and with a search', async () => {
    const empty = await service.factory.workspace({ name: 'Archive' });
    const rows = [
      { workspace_id: retail.id, name: 'Retail', views: 5, previous_views: 0, viewers: 3, seconds: 210 },
      { workspace_id: finance.id, name: 'Finance', views: 1, previous_views: 0, viewers: 1, seconds: 5 },
      { workspace_id: empty.id, name: 'Archive', views: 0, previous_views: 0, viewers: 0, seconds: 0 },
    ];
    expect(await get(admin, 'workspaces')).toEqual({ workspaces: rows });
    expect(await get(manager, 'workspaces')).toEqual({ workspaces: rows.slice(0, 1) });
    expect(await get(admin, 'workspaces?exclude_admins=true&q=ret')).toMatchObject({
      workspaces: [{ views: 4, viewers: 2, seconds: 190 }],
    });
    for (const [sort, names] of Object.entries({
      name: ['Archive', 'Finance', 'Retail'],
      views: ['Archive', 'Finance', 'Retail'],
      '-seconds': ['Retail', 'Finance', 'Archive'],
    })) {
      const found: string[] = [];
      for (let path = `/api/usage/workspaces?limit=1&sort=${sort}`; path !== '';) {
        const { body, headers } = await admin.get<{ workspaces: { name: string }[] }>(path);
        found.push(...body.workspaces.map(({ name }) => name));
        path = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
      }
      expect([sort, found]).toEqual([sort, names]);
    }
    await service.database.query('DELETE FROM workspaces WHERE id = $1', [empty.id]);
  });

  test.each([
    [7, 7],
    [31, 31],
    [32, 4],
    [90, 12],
    [365, 26],
  ])('of %i days have views over time in %i parts, the last one of which ends today', async (days, parts) => {
    const path = `reports?days=${days}&q=R1`;
    const { reports } = await get<{ reports: { views: number; views_over_time: number[] }[] }>(admin, path);
    const { views, views_over_time: drawn } = reports[0] as (typeof reports)[0];
    expect([drawn.length, drawn.at(-1), drawn.reduce((a, b) => a + b, 0)]).toEqual([parts, views, views]);
  });

  test('have a next page also after midnight', async () => {
    const { headers } = await admin.get('/api/usage/reports?limit=1');
    const next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] as string;
    service.clock.advance(86_400);
    try {
      const { status, body } = await (await service.as(cat)).get<{ reports: object[] }>(next);
      expect([status, body.reports]).toMatchObject([200, { length: 1 }]);
    } finally {
      service.clock.advance(-86_400);
    }
  });

  test('are CSV or NDJSON by Accept, with all rows', async () => {
    const read = async (path: string, accept: string) => {
      const headers = { authorization: `Bearer ${admin.token}`, accept };
      return (await (await fetch(`${service.url}/api/usage/${path}`, { headers })).text())
        .trim()
        .split(/\r?\n/);
    };
    const [header, first, ...others] = await read('reports?limit=1', 'text/csv');
    expect(header).toBe(
      'report_id,name,workspace_id,workspace_name,views,issued_views,viewers,page_views,seconds,failures,opening_ms_p50,opening_ms_p95,load_ms_p50,load_ms_p95,previous_views,last_viewed_at',
    );
    expect(first).toContain(`${r1.id},R1,${retail.id},Retail,4,4,3,7,200,0,`);
    expect(others).toHaveLength(3);
    for (const list of ['reports?limit=1', 'unused?limit=1&days=1']) {
      service.clock.advance(list.startsWith('unused') ? 3 * 86_400 : 0);
      admin = await service.as(cat);
      const all = await read(list, 'text/csv');
      const { headers } = await admin.get(`/api/usage/${list}`);
      const next = /<[^>]*\/usage\/([^>]+)>/.exec(headers.get('link') ?? '')?.[1] as string;
      expect([list, await read(next, 'text/csv')]).toEqual([list, all]);
      service.clock.advance(list.startsWith('unused') ? -3 * 86_400 : 0);
    }
    admin = await service.as(cat);
    expect(
      (await read('workspaces?limit=1', 'text/csv')).map((line) => line.replace(/^[\w-]{36}/, 'id')),
    ).toEqual([
      'workspace_id,name,views,previous_views,viewers,seconds',
      'id,Retail,5,0,3,210',
      'id,Finance,1,0,1,5',
    ]);
    expect(await read('overview', 'text/csv')).toHaveLength(31);
    expect(await read('unused?days=1', 'text/csv')).toHaveLength(1);
    expect(await read(`reports/${r1.id}`, 'application/x-ndjson')).toHaveLength(30);
  });
});

describe('an accepted event', () => {
  test('is visible soon', async () => {
    const { views } = await get<{ views: number }>(admin, `reports/${r2.id}`);
    await view(bob, r2, {});
    await until(async () => {
      const report = await get<{ views: number }>(admin, `reports/${r2.id}`);
      return report.views === views + 1;
    });
  });
});

describe('rights', () => {
  const status = async (api: Client, path: string) => (await api.get(`/api/usage/${path}`)).status;

  test('a viewer sees a report without people, and nothing else', async () => {
    const body = await get(viewer, `reports/${r1.id}`);
    expect(body).toMatchObject({ views: 4, viewers: 3, people: null });
    expect(JSON.stringify(body)).not.toContain(bob.id);
    for (const path of ['overview', 'reports', 'unused', `workspaces/${retail.id}`, `people/${amy.id}`])
      expect([path, await status(viewer, path)]).toEqual([path, 403]);
    expect(await status(viewer, `groups/${randomUUID()}`)).toBe(403);
  });

  test('a manager sees the people of their workspaces, and of no other', async () => {
    expect(await get(manager, `reports/${r1.id}`)).toMatchObject({ people: { length: 3 } });
    expect(await get(manager, `reports/${r4.id}`)).toMatchObject({ views: 1, people: null });
    const { reports } = await get<{ reports: { name: string }[] }>(manager, 'reports?sort=name');
    expect(reports.map(({ name }) => name)).toEqual(['R1', 'R2', 'R3']);
  });

  test('what the caller may not see is like what does not exist', async () => {
    const group = await service.factory.group({}, [bob]);
    const stranger = await service.factory.user();
    const hidden = await service.factory.report(await service.factory.workspace());
    for (const [path, id] of [
      ['workspaces', finance.id],
      ['groups', group.id],
      ['people', stranger.id],
      ['reports', hidden.id],
    ]) {
      const [foreign, unknown] = [
        await manager.get(`/api/usage/${path}/${id}`),
        await manager.get(`/api/usage/${path}/${randomUUID()}`),
      ];
      expect([path, foreign.status]).toEqual([path, 404]);
      expect(comparable(foreign)).toEqual(comparable(unknown));
    }
    expect(await get(manager, `reports?workspace_id=${finance.id}`)).toEqual({ reports: [] });
    expect(await get(manager, `unused?workspace_id=${finance.id}`)).toEqual({ reports: [] });
  });

  test('figures of fewer than 5 people of a group are hidden, also by subtraction', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => service.factory.user()));
    const group = await service.factory.group({}, people);
    await admin.put(`/api/workspaces/${retail.id}/grants/groups/${group.id}`, { role: 'viewer' });
    const figures = (query = '') =>
      get<{
        views: number | null;
        issued_views: number | null;
        viewers: number | null;
        members: number;
        buckets: { views: number | null }[];
      }>(manager, `groups/${group.id}${query}`);
    for (const person of people.slice(0, 4)) await view(person, r1, {});
    expect(await figures()).toMatchObject({
      members: 6,
      views: null,
      issued_views: null,
      viewers: null,
      seconds: null,
      page_views: null,
    });
    expect(new Set((await figures()).buckets.map(({ views }) => views))).toEqual(new Set([null]));
    for (const person of people.slice(4)) await view(person, r1, {});
    expect(await figures()).toMatchObject({ views: 6, issued_views: 6, viewers: 6 });
    // One more person on another day: that day and the only other one are hidden.
    service.clock.advance(86_400);
    try {
      manager = await service.as(max);
      await view(people[0] as User, r1, {});
      const { views, buckets } = await figures('?days=2');
      expect([views, ...buckets.map((each) => each.views)]).toEqual([7, null, null]);
    } finally {
      service.clock.advance(-86_400);
      manager = await service.as(max);
    }
  });
});

describe('figures of a group', () => {
  interface GroupFigures {
    views: number | null;
    viewers: number | null;
    buckets: { views: number | null; viewers: number | null }[];
  }
  let report: Report;

  beforeAll(async () => {
    report = await service.factory.report(retail);
  });

  /** Views of the days before today by their age, as if ingested then. */
  const groupOf = async (days: { person: User; age: number; byAdmin?: boolean }[]) => {
    const members = [...new Set(days.map(({ person }) => person))];
    const group = await service.factory.group({}, members);
    const views = days.map(({ person, age, byAdmin }) => {
      const at = new Date(service.clock.now().getTime() - age * 86_400_000).toISOString();
      return { report, person: person.id, at, byAdmin };
    });
    await plant(service, views);
    return (query: string) => get<GroupFigures>(admin, `groups/${group.id}?${query}`);
  };
  const users = (count: number) => Promise.all(Array.from({ length: count }, () => service.factory.user()));

  test('hide a bucket of at least 5 people where all hidden buckets together have fewer', async () => {
    const people = await users(6);
    const [person] = people as [User];
    const figures = await groupOf([
      { person, age: 0 },
      { person, age: 1 },
      ...people.map((each) => ({ person: each, age: 2 })),
      ...people.slice(1).map((each) => ({ person: each, age: 3 })),
    ]);
    const { views, buckets } = await figures('days=4');
    expect([views, ...buckets.map((each) => each.views)]).toEqual([13, null, 6, null, null]);
  });

  test('are hidden without admins where fewer than 5 admins are among the viewers', async () => {
    const [people, admins] = [await users(5), await users(4)];
    const views = [
      ...people.map((person) => ({ person, age: 0 })),
      ...admins.map((person) => ({ person, age: 0, byAdmin: true })),
    ];
    const few = await groupOf(views);
    expect(await few('days=1')).toMatchObject({ views: 9, viewers: 9, buckets: [{ views: 9 }] });
    expect(await few('days=1&exclude_admins=true')).toMatchObject({
      views: null,
      viewers: null,
      buckets: [{ views: null }],
    });
    const [fifth] = (await users(1)) as [User];
    const enough = await groupOf([...views, { person: fifth, age: 0, byAdmin: true }]);
    expect(await enough('days=1&exclude_admins=true')).toMatchObject({
      viewers: 5,
      buckets: [{ viewers: 5 }],
    });
    const none = await groupOf(views.slice(0, 5));
    expect(await none('days=1&exclude_admins=true')).toMatchObject({ viewers: 5 });
  });

  test('are hidden, zeros too, where fewer than 5 people opened a report', async () => {
    const few = await groupOf((await users(4)).map((person) => ({ person, age: 1 })));
    const none = {
      views: null,
      viewers: null,
      issued_views: null,
      page_views: null,
      seconds: null,
      failures: null,
    };
    const hidden = { views: null, viewers: null };
    expect(await few('days=2')).toMatchObject({ ...none, members: 4, buckets: [hidden, hidden] });
    expect(await few('days=1')).toMatchObject({ ...none, buckets: [hidden] });
    const enough = await groupOf((await users(5)).map((person) => ({ person, age: 1 })));
    expect(await enough('days=1')).toMatchObject({ ...none, buckets: [hidden] });
    expect(await enough('days=2')).toMatchObject({
      viewers: 5,
      buckets: [
        { views: 5, viewers: 5 },
        { views: 0, viewers: 0 },
      ],
    });
  });

  test('400: have no hours', async () => {
    const { id } = await service.factory.group({}, [amy]);
    const response = await admin.get(`/api/usage/groups/${id}?bucket=hour`);
    expect(response).toMatchObject({ status: 400, body: { errors: [{ pointer: '/bucket' }] } });
  });

  test('are visible to those who manage a workspace in which the group has a grant', async () => {
    const [inFinance, outer, own] = [
      await service.factory.group({}, [max]),
      await service.factory.group(),
      await service.factory.group(),
    ];
    await admin.put(`/api/workspaces/${finance.id}/grants/groups/${inFinance.id}`, { role: 'viewer' });
    await admin.put(`/api/workspaces/${retail.id}/grants/groups/${own.id}`, { role: 'viewer' });
    const status = async ({ id }: { id: string }) => (await manager.get(`/api/usage/groups/${id}`)).status;
    expect([await status(inFinance), await status(outer), await status(own)]).toEqual([404, 404, 200]);
  });
});

describe('parameters', () => {
  test.each([
    ['from=2026-13-01', '/from'],
    ['to=yesterday', '/to'],
    ['from=2026-01-02&to=2026-01-02', '/from'],
    ['from=9999-01-01', '/from'],
    ['days=0', '/days'],
    ['days=3&from=2026-01-01', '/days'],
    ['bucket=year', '/bucket'],
    ['bucket=hour&days=8', '/bucket'],
    ['exclude_admins=1', '/exclude_admins'],
    ['time_zone=UTC', '/time_zone'],
  ])('400: %s', async (query, pointer) => {
    const response = await admin.get(`/api/usage/overview?${query}`);
    expect(response).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  test.each(['from', 'to'])('200: %s with an offset that PostgreSQL does not have', async (name) => {
    const day = service.clock.now().toISOString().slice(0, 10);
    for (const offset of ['%2B16:00', '-23:59'])
      expect((await admin.get(`/api/usage/overview?${name}=${day}T00:00:00${offset}`)).status).toBe(200);
  });

  test('a period before the retention is clipped', async () => {
    const { from } = await get<{ from: string }>(admin, 'overview?from=2000-01-01&bucket=month');
    const month = new Date(service.clock.now());
    month.setUTCMonth(month.getUTCMonth() - 25, 1);
    expect(from.slice(0, 10)).toBe(month.toISOString().slice(0, 10));
  });
});

describe('settings', () => {
  const withSetting = async (variables: Record<string, string>, work: (other: Service) => Promise<void>) => {
    const other = await startService(variables);
    try {
      await work(other);
    } finally {
      await other.close();
    }
  };

  test('USAGE_VISIBLE_TO_VIEWERS=false and USAGE_PEOPLE_FOR_MANAGERS=false', () =>
    withSetting({ USAGE_VISIBLE_TO_VIEWERS: 'false', USAGE_PEOPLE_FOR_MANAGERS: 'false' }, async (other) => {
      const workspace = await other.factory.workspace();
      const report = await other.factory.report(workspace);
      const [reader, head] = [await other.asMember(workspace), await other.asMember(workspace, 'manager')];
      expect((await reader.get(`/api/usage/reports/${report.id}`)).status).toBe(403);
      expect((await reader.get(`/api/usage/reports/${randomUUID()}`)).status).toBe(404);
      const seen = await head.get(`/api/usage/reports/${report.id}`);
      expect(seen).toMatchObject({ status: 200, body: { people: null } });
      expect((await head.get(`/api/usage/people/${amy.id}`)).status).toBe(403);
    }));

  test('USAGE_PEOPLE=pseudonymous counts a person of a group once in several months', () =>
    withSetting({ USAGE_PEOPLE: 'pseudonymous' }, async (other) => {
      const people = await Promise.all(Array.from({ length: 5 }, () => other.factory.user()));
      const report = await other.factory.report(await other.factory.workspace());
      const group = await other.factory.group({}, people);
      for (let month = 0; month < 3; month += 1) {
        if (month > 0) other.clock.advance(31 * 86_400);
        for (const person of people) {
          const token = await issue(other, person, report);
          await send(await other.as(person), opening({ token, at: other.clock.now() }));
        }
      }
      const [{ numbers }] = await other.database.query('SELECT count(*)::int AS numbers FROM usage_people');
      expect(numbers).toBe(15);
      const root = await other.asAdmin();
      const path = `/api/usage/groups/${group.id}?days=80&bucket=month`;
      expect((await root.get(path)).body).toMatchObject({ members: 5, views: 15, viewers: 5 });
      // Only the pseudonyms of months in the period are computed, however many people and months there are.
      await other.database.query(
        `INSERT INTO usage_month_keys (month, key)
         SELECT month, sha256(month::text::bytea) FROM generate_series('1900-01-01'::timestamp, '2019-12-01', '1 month') AS month`,
      );
      await other.database.query(
        `WITH added AS (
           INSERT INTO users (id, email, name, role, status, created_at)
           SELECT gen_random_uuid(), 'member' || n || '@example.com', 'Member', 'member', 'active', now()
           FROM generate_series(1, 10000) AS n RETURNING id)
         INSERT INTO group_edges (group_id, user_id, source, created_at) SELECT $1, id, 'manual', now() FROM added`,
        [group.id],
      );
      expect(await root.get(path)).toMatchObject({ status: 200, body: { views: 15, viewers: 5 } });
    }));

  test.each([
    ['off', null],
    ['pseudonymous', 1],
  ])('USAGE_PEOPLE=%s', (mode, viewers) =>
    withSetting({ USAGE_PEOPLE: mode }, async (other) => {
      const user = await other.factory.user();
      const report = await other.factory.report(await other.factory.workspace());
      for (let index = 0; index < 2; index += 1) {
        const token = await issue(other, user, report);
        await send(await other.as(user), opening({ token, at: other.clock.now() }));
      }
      await rollUp(other);
      const root = await other.asAdmin();
      expect((await root.get('/api/usage/overview')).body).toMatchObject({ views: 2, viewers });
      const { body } = await root.get(`/api/usage/reports/${report.id}`);
      expect(body).toMatchObject({ views: 2, viewers, people: null });
      expect(await root.get(`/api/usage/people/${user.id}`)).toMatchObject({
        status: 409,
        body: { code: 'usage_people_not_stored' },
      });
    }),
  );

  test.each(['off', 'pseudonymous'])('USAGE_PEOPLE=%s names no people of named views', (mode) =>
    withSetting({}, async (other) => {
      const user = await other.factory.user();
      const report = await other.factory.report(await other.factory.workspace());
      const token = await issue(other, user, report);
      await send(await other.as(user), opening({ token, at: other.clock.now() }));
      await rollUp(other);
      const root = await other.asAdmin();
      const path = `/api/usage/reports/${report.id}`;
      expect((await root.get(path)).body).toMatchObject({ people: [{ user_id: user.id }] });
      const environment = { ...other.environment, USAGE_PEOPLE: mode };
      const replica = await startInProcessReplica({ ...other, environment });
      try {
        expect((await replica.as(root).get(path)).body).toMatchObject({ views: 1, people: null });
      } finally {
        await replica.close();
      }
    }),
  );
});
