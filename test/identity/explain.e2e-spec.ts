import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
let sales: Workspace;
let report: Report;
let ada: User;
let admin: Client;

beforeAll(async () => {
  service = await startService();
  admin = await service.asAdmin();
});
afterAll(() => service.close());
beforeEach(async () => {
  sales = await service.factory.workspace();
  report = await service.factory.report(sales);
  ada = await service.factory.user();
});

const explain = (by: Client, user = ada.id, of = report.id) =>
  by.get(`/api/access/explain?user_id=${user}&report_id=${of}`);

describe('GET /api/access/explain', () => {
  test('200: the effective grant', async () => {
    await service.factory.grant(ada, sales, 'editor');
    expect(await explain(admin)).toMatchObject({
      status: 200,
      body: {
        allowed: true,
        access: 'edit',
        reason: 'grant',
        role: 'member',
        grant: { workspace_id: sales.id, role: 'editor', source: 'manual', expires_at: null },
      },
    });
  });

  test('200: the reason for missing access', async () => {
    expect((await explain(admin)).body).toMatchObject({
      allowed: false,
      access: null,
      reason: 'no_grant',
      grant: null,
    });
    await service.factory.grant(ada, sales, 'viewer', service.clock.in(-60));
    expect((await explain(admin)).body).toMatchObject({
      allowed: false,
      reason: 'grant_expired',
      grant: { role: 'viewer' },
    });
    await service.database.query(`UPDATE users SET status = 'disabled' WHERE id = $1`, [ada.id]);
    expect((await explain(admin)).body).toMatchObject({ allowed: false, reason: 'user_disabled' });
    const chief = await service.factory.admin();
    expect((await explain(admin, chief.id)).body).toMatchObject({
      allowed: true,
      reason: 'admin',
      grant: null,
    });
    await service.database.query('UPDATE reports SET retired_at = now() WHERE id = $1', [report.id]);
    expect((await explain(admin, chief.id)).body).toMatchObject({ allowed: false, reason: 'report_retired' });
  });

  test('200: the explanation agrees with the actual access', async () => {
    await service.factory.grant(ada, sales, 'viewer', service.clock.in(100));
    const api = await service.as(ada);
    expect((await explain(admin)).body.allowed).toBe(
      (await api.get(`/api/reports/${report.id}`)).status === 200,
    );
    service.clock.advance(101);
    expect((await explain(await service.asAdmin())).body.allowed).toBe(false);
    expect((await api.get(`/api/reports/${report.id}`)).status).toBe(404);
  });

  test('200 and 404: a manager for their workspaces and their members only', async () => {
    const manager = await service.asMember(sales, 'manager');
    const stranger = await explain(manager);
    const unknown = await explain(manager, uuidv7());
    expect([stranger.status, stranger.body.detail]).toEqual([404, unknown.body.detail]);
    await service.factory.grant(ada, sales);
    expect((await explain(manager)).body).toMatchObject({ allowed: true, access: 'view' });
    const elsewhere = await service.factory.report(await service.factory.workspace());
    expect((await explain(manager, ada.id, elsewhere.id)).body.code).toBe('report_not_found');
    expect((await explain(await service.asMember(sales, 'editor'))).body.code).toBe('report_not_found');
  });

  test('400: names the missing parameters', async () => {
    const response = await admin.get('/api/access/explain?user_id=1');
    expect(response.body.errors).toMatchObject([{ pointer: '/user_id' }, { pointer: '/report_id' }]);
  });
});

describe('groups that contain each other in many ways', () => {
  /** Levels of groups, each of which contains all groups of the level before; returns the outermost one. */
  async function nest(...sizes: number[]): Promise<string> {
    const levels: string[][] = [];
    for (const [level, size] of sizes.entries()) {
      levels.push([]);
      for (let index = 0; index < size; index += 1) {
        const name = `Dense ${sizes.length} ${level} ${index} ${uuidv7()}`;
        const { body } = await admin.post<{ id: string }>('/api/groups', { name });
        levels[level]?.push(body.id);
        for (const inner of levels[level - 1] ?? [])
          expect((await admin.put(`/api/groups/${body.id}/members/groups/${inner}`)).status).toBe(204);
      }
    }
    for (const group of levels[0] ?? []) await admin.put(`/api/groups/${group}/members/users/${ada.id}`);
    return levels.at(-1)?.at(-1) ?? '';
  }

  interface Explained {
    allowed: boolean;
    reason: string;
    paths: { groups: object[]; decides: boolean }[];
  }

  test.each([
    ['9 levels of two and one above', [2, 2, 2, 2, 2, 2, 2, 2, 2, 1]],
    ['9 levels of three', [3, 3, 3, 3, 3, 3, 3, 3, 3]],
  ])('%s: every response agrees that there is access, and the shown paths are bounded', async (_, sizes) => {
    const outermost = await nest(...sizes);
    await admin.put(`/api/reports/${report.id}/grants/groups/${outermost}`, { role: 'viewer' });
    const { paths, ...explained } = (await explain(admin)).body as unknown as Explained;
    expect(explained).toMatchObject({ allowed: true, reason: 'grant' });
    expect(paths[0]?.groups).toHaveLength(sizes.length);
    expect(paths.map(({ decides }) => decides)).toEqual(paths.map((_path, index) => index === 0));
    expect(paths.length).toBeLessThanOrEqual(1000);
    const manager = await service.asMember(sales, 'manager');
    expect(await explain(manager)).toMatchObject({ status: 200, body: { allowed: true } });
    const api = await service.as(ada);
    const held = [{ report_id: report.id }];
    expect((await api.get('/api/users/me')).body).toMatchObject({ grants: held });
    expect((await admin.get(`/api/users/${ada.id}/grants`)).body).toMatchObject({ grants: held });
    expect((await api.get('/api/reports')).body).toMatchObject({ reports: [{ id: report.id }] });
  });
});

test('200: access follows the stored memberships, as in lists, also where the groups between are not known', async () => {
  const group = await service.factory.group({ name: `Repaired ${uuidv7()}` });
  const inner = await service.factory.group({}, [ada]);
  await admin.put(`/api/workspaces/${sales.id}/grants/groups/${group.id}`, { role: 'viewer' });
  await service.database.query('INSERT INTO group_closure (inner_id, outer_id) VALUES ($1, $2)', [
    inner.id,
    group.id,
  ]);
  const api = await service.as(ada);
  expect((await api.get('/api/reports')).body).toMatchObject({ reports: [{ id: report.id }] });
  const path = { groups: [{ id: group.id, name: group.name }], decides: true };
  expect((await explain(admin)).body).toMatchObject({ allowed: true, reason: 'grant', paths: [path] });
  expect((await api.get('/api/users/me')).body).toMatchObject({
    grants: [{ workspace_id: sales.id, path: [group.name] }],
  });
});

test('200 for a manager: an admin, who is listed as a viewer', async () => {
  const manager = await service.asMember(sales, 'manager');
  const chief = await service.factory.admin();
  expect(await explain(manager, chief.id)).toMatchObject({
    status: 200,
    body: { allowed: true, reason: 'admin', paths: [] },
  });
  expect(await explain(manager)).toMatchObject({ status: 404 });
});
