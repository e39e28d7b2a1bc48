import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Group } from '../../src/access/groups/group.entity.js';
import { GroupRepairService } from '../../src/access/groups/group-repair.service.js';
import type { User } from '../../src/users/user.entity.js';
import { type Service, startService } from '../support/service.js';
import { eventsOf, GroupApi, wrongRows } from './group-api.js';

let service: Service;
let repairs: GroupRepairService;
let root: User;
let ada: User;
let ben: User;
let outer: Group;
let middle: Group;
let inner: Group;

beforeAll(async () => {
  service = await startService();
  repairs = service.app.get(GroupRepairService);
});
afterAll(() => service.close());
beforeEach(async () => {
  const { factory, database } = service;
  await database.query('DELETE FROM groups');
  root = await factory.admin();
  [ada, ben] = [await factory.user(), await factory.user()];
  [outer, middle, inner] = [await factory.group(), await factory.group(), await factory.group({}, [ada])];
  const api = new GroupApi(await service.as(root));
  await api.add(middle, inner);
  await api.add(outer, middle);
  await api.add(outer, ben);
});

const sql = (text: string, ...values: unknown[]) => service.database.query(text, values);
const check = () => repairs.check();

describe('the closure of groups', () => {
  test('as the service maintains it is right, and a repair changes nothing', async () => {
    expect(await check()).toEqual({ checked: 3, wrong: 0, cyclic: [] });
    expect(await repairs.repair(root)).toEqual({ groups: 3, added: 0, removed: 0 });
    expect((await eventsOf(service, outer)).map(({ action }) => action)).not.toContain('group_updated');
  });

  test.each([
    [
      'a missing row deep in the groups',
      () => sql('DELETE FROM group_closure WHERE inner_id = $1 AND outer_id <> $1', inner.id),
      2,
      { groups: 3, added: 2, removed: 0 },
    ],
    [
      'a surplus row',
      () => sql('INSERT INTO group_closure (inner_id, outer_id) VALUES ($1, $2)', outer.id, inner.id),
      1,
      { groups: 3, added: 0, removed: 1 },
    ],
    [
      'an edge between groups that was removed',
      () => sql('DELETE FROM group_edges WHERE member_group_id = $1', inner.id),
      2,
      { groups: 3, added: 0, removed: 2 },
    ],
    [
      'an edge between groups that was added',
      async () => {
        const { id } = await service.factory.group();
        await sql(
          `INSERT INTO group_edges (group_id, member_group_id, source, created_at) VALUES ($1, $2, 'manual', now())`,
          id,
          outer.id,
        );
      },
      1,
      { groups: 4, added: 3, removed: 0 },
    ],
  ])('%s is found and repaired', async (_name, change, wrong, repaired) => {
    await change();
    expect(await check()).toMatchObject({ wrong });
    expect(await repairs.repair(root)).toEqual(repaired);
    expect(await check()).toMatchObject({ wrong: 0 });
    expect(await wrongRows(service)).toEqual([]);
  });

  test('a repair takes effect at once and is recorded', async () => {
    const workspace = await service.factory.workspace();
    await (
      await service.as(root)
    ).put(`/api/workspaces/${workspace.id}/grants/groups/${outer.id}`, { role: 'viewer' });
    await sql('DELETE FROM group_closure WHERE outer_id = $1 AND inner_id = $2', outer.id, inner.id);
    const client = await service.as(ada);
    expect((await client.get('/api/workspaces')).body.workspaces).toEqual([]);
    await repairs.repair(root);
    expect((await client.get('/api/workspaces')).body.workspaces).toHaveLength(1);
    expect((await eventsOf(service, outer)).at(-1)).toMatchObject({
      action: 'group_updated',
      details: { repaired: { added: 1, removed: 0 } },
    });
  });

  test('a cycle is reported, and not repaired', async () => {
    await sql(
      `INSERT INTO group_edges (group_id, member_group_id, source, created_at) VALUES ($1, $2, 'manual', now())`,
      inner.id,
      outer.id,
    );
    const { cyclic } = await check();
    expect(new Set(cyclic.map(({ id }) => id))).toEqual(new Set([outer, middle, inner].map(({ id }) => id)));
    await expect(repairs.repair(root)).rejects.toThrow('group_cycle');
    const admin = await service.asAdmin();
    expect((await admin.get(`/api/groups/${outer.id}/members?effective=true`)).status).toBe(200);
  });
});
