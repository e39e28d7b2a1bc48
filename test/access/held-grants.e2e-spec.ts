import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pagesOf } from '../groups/group-api.js';
import type { Group } from '../../src/access/groups/group.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';

const WORKSPACES = 2000;

interface GrantBody {
  workspace_id: string;
  workspace_name: string;
  report_id: string | null;
  role: string;
  path: string[];
}
interface Grants {
  grants: GrantBody[];
}
interface Profile extends Grants {
  grant_counts: { workspaces: number; reports: number };
}

let service: Service;
let admin: Client;
let ada: User;
let group: Group;
let sales: Workspace;

/** Ada holds every workspace and, through a group, one report of each; one grant is higher. */
beforeAll(async () => {
  service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0' });
  const { factory, database } = service;
  admin = await service.asAdmin();
  ada = await factory.user();
  const inner = await factory.group({ name: 'Inner' }, [ada]);
  group = await factory.group({ name: 'Outer' });
  await admin.put(`/api/groups/${group.id}/members/groups/${inner.id}`);
  sales = await factory.workspace({ name: 'Zürich' });
  await factory.grant(ada, sales, 'manager');
  await database.query(
    `INSERT INTO workspaces (id, pbi_workspace_id, name, report_count, updated_at)
     SELECT gen_random_uuid(), gen_random_uuid(), 'Workspace ' || lpad((n / 2)::text, 5, '0'), 1, now()
     FROM generate_series(1, ${WORKSPACES}) n`,
  );
  await database.query(
    `INSERT INTO reports (id, workspace_id, pbi_report_id, pbi_dataset_id, name, report_type, web_url, embed_url, updated_at)
     SELECT gen_random_uuid(), id, gen_random_uuid(), 'd', 'Report', 'PowerBIReport', 'https://x.example', 'https://x.example', now()
     FROM workspaces WHERE name LIKE 'Workspace %'`,
  );
  await database.query(
    `INSERT INTO grants (user_id, workspace_id, source, role, created_at)
     SELECT $1, id, 'manual', 'viewer', now() FROM workspaces WHERE name LIKE 'Workspace %'`,
    [ada.id],
  );
  await database.query(
    `INSERT INTO grants (group_id, report_id, source, role, created_at)
     SELECT $1, id, 'manual', 'viewer', now() FROM reports`,
    [group.id],
  );
});
afterAll(() => service.close());

const keyOf = ({ workspace_id, report_id }: GrantBody): string => `${workspace_id} ${report_id}`;
const read = async (api: Client, path: string): Promise<GrantBody[]> =>
  (await pagesOf<Grants>(api, path)).flatMap(({ grants }) => grants);

describe('thousands of grants', () => {
  test('GET /api/users/me has the first of them, how many there are, and a link to the others', async () => {
    const api = await service.as(ada);
    const { body, headers } = await api.get<Profile>('/api/users/me');
    expect(body.grants).toHaveLength(100);
    expect(body.grant_counts).toEqual({ workspaces: WORKSPACES + 1, reports: WORKSPACES });
    const next = /<(.*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
    expect(next).toMatch(/^\/api\/users\/me\/grants\?cursor=/);
    const all = [...body.grants, ...(await read(api, next))];
    expect(all).toHaveLength(2 * WORKSPACES + 1);
    expect(new Set(all.map(keyOf)).size).toBe(2 * WORKSPACES + 1);
    const names = all.map(({ workspace_name }) => workspace_name);
    expect(names).toEqual(names.toSorted());
    expect(
      all.filter(({ report_id }) => report_id !== null).every(({ path }) => path.join() === 'Outer,Inner'),
    ).toBe(true);
  });

  test('a change of the profile returns the same', async () => {
    const api = await service.as(ada);
    const { body, headers } = await api.patch<Profile>('/api/users/me', { locale: 'de' });
    expect(body.grants).toHaveLength(100);
    expect(headers.get('link')).toMatch(/^<\/api\/users\/me\/grants\?cursor=/);
  });

  test.each([
    ['GET /api/users/me/grants', async () => [await service.as(ada), '/api/users/me/grants'] as const],
    ['GET /api/users/:id/grants', () => [admin, `/api/users/${ada.id}/grants`] as const],
  ])('%s has pages, a search and a filter', async (_, of) => {
    const [api, path] = await of();
    const first = await api.get<Grants>(`${path}?limit=3&sort=-name`);
    expect(first.body.grants).toHaveLength(3);
    expect(first.body.grants[0]).toMatchObject({ workspace_id: sales.id, role: 'manager' });
    expect(await read(api, path)).toHaveLength(2 * WORKSPACES + 1);
    expect(await read(api, `${path}?q=00700`)).toHaveLength(4);
    expect(await read(api, `${path}?role=manager`)).toMatchObject([{ workspace_id: sales.id }]);
    expect(await api.get(`${path}?role=owner`)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/role' }] },
    });
  });

  test('GET /api/groups/:id/grants has pages; the path does not include the group', async () => {
    const inner = await service.factory.group({ name: 'Innermost' });
    await admin.put(`/api/groups/${group.id}/members/groups/${inner.id}`);
    const held = await read(admin, `/api/groups/${inner.id}/grants?limit=900`);
    expect(new Set(held.map(keyOf)).size).toBe(WORKSPACES);
    expect(held[0]?.path).toEqual(['Outer']);
    expect((await read(admin, `/api/groups/${group.id}/grants`))[0]?.path).toEqual([]);
  });

  test('a cursor of the own grants is not valid for those of another user', async () => {
    const { headers } = await admin.get(`/api/users/${ada.id}/grants?limit=1`);
    const cursor = /cursor=([^&>]*)/.exec(headers.get('link') ?? '')?.[1] ?? '';
    const eve = await service.factory.user();
    expect(await admin.get(`/api/users/${eve.id}/grants?cursor=${cursor}`)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/cursor' }] },
    });
  });
});
