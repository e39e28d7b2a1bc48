import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pagesOf } from '../groups/group-api.js';
import type { User } from '../../src/users/user.entity.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';

interface Item {
  id: string;
  name: string;
}

let service: Service;
let admin: Client;
let ada: User;

/** Ada sees a workspace, another through a group, and a report of a third one; a fourth one is not hers. */
beforeAll(async () => {
  service = await startService();
  const { factory } = service;
  admin = await service.asAdmin();
  ada = await factory.user();
  const [sales, finance, board, other] = [
    await factory.workspace({ name: 'Sales' }),
    await factory.workspace({ name: 'Finance' }),
    await factory.workspace({ name: 'Board' }),
    await factory.workspace({ name: 'Other' }),
  ];
  for (const workspace of [sales, finance, other])
    for (let n = 0; n < 3; n += 1) await factory.report(workspace);
  await factory.grant(ada, sales, 'editor');
  const group = await factory.group({ name: 'Controllers' }, [ada]);
  await admin.put(`/api/workspaces/${finance.id}/grants/groups/${group.id}`, { role: 'viewer' });
  const shared = await factory.report(board);
  await factory.report(board);
  await admin.put(`/api/reports/${shared.id}/grants/users/${ada.id}`, { role: 'viewer' });
});
afterAll(() => service.close());

const idsOf = async (api: Client, path: string, key: 'workspaces' | 'reports'): Promise<string[]> =>
  (await pagesOf<Record<string, Item[]>>(api, path)).flatMap((page) => (page[key] ?? []).map(({ id }) => id));

describe.each(['workspaces', 'reports'] as const)('GET /api/users/:id/%s', (list) => {
  test('200: what the user sees, page by page, with its counts', async () => {
    const own = await service.as(ada);
    for (const query of ['?limit=2', '?limit=2&sort=-name', '?q=report', '?limit=100']) {
      const seen = await idsOf(admin, `/api/users/${ada.id}/${list}${query}`, list);
      expect(seen).toEqual(await idsOf(own, `/api/${list}${query}`, list));
    }
    const [theirs, mine] = [await admin.get(`/api/users/${ada.id}/${list}`), await own.get(`/api/${list}`)];
    expect(theirs.body).toEqual(mine.body);
  });

  test('200: all, of an admin; none, of a user without grants', async () => {
    const [other, boss] = [await service.factory.user(), await service.factory.admin()];
    expect((await admin.get(`/api/users/${other.id}/${list}`)).body).toEqual({ [list]: [] });
    expect((await admin.get(`/api/users/${boss.id}/${list}`)).body).toEqual(
      (await admin.get(`/api/${list}`)).body,
    );
  });

  test('200: none, of a disabled user', async () => {
    const gone = await service.factory.user();
    await service.factory.grant(gone, await service.factory.workspace());
    await admin.patch(`/api/users/${gone.id}`, { status: 'disabled' });
    expect((await admin.get(`/api/users/${gone.id}/${list}`)).body).toEqual({ [list]: [] });
  });

  test('403: a member, also of their own', async () => {
    const own = await service.as(ada);
    expect((await own.get(`/api/users/${ada.id}/${list}`)).status).toBe(403);
  });

  test('404: an unknown user; 400: a malformed id or query', async () => {
    const unknown = await admin.get(`/api/users/01a21962-6352-71a8-b1f2-ae444af3fec0/${list}`);
    expect(unknown).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
    expect((await admin.get(`/api/users/x/${list}`)).status).toBe(400);
    expect((await admin.get(`/api/users/${ada.id}/${list}?sort=x`)).status).toBe(400);
  });
});

test('the workspace of a list of reports is one that the user sees', async () => {
  const [sales] = (await admin.get<{ workspaces: Item[] }>('/api/workspaces?q=sales')).body.workspaces;
  const path = `/api/users/${ada.id}/reports?workspace_id=${sales?.id}`;
  expect((await admin.get<{ reports: Item[] }>(path)).body.reports).toHaveLength(3);
});
