import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Group } from '../../src/groups/group.entity.js';
import { GroupRepairService } from '../../src/groups/group-repair.service.js';
import type { User } from '../../src/users/user.entity.js';
import { type Service, startService } from '../support/service.js';
import { eventsOf, GroupApi, wrongRows } from './group-api.js';

let service: Service;
let repairs: GroupRepairService;
let root: User;
let ada: User;
let ben: User;
let cleo: User;
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
  [ada, ben, cleo] = [await factory.user(), await factory.user(), await factory.user()];
  [outer, middle, inner] = [await factory.group(), await factory.group(), await factory.group({}, [ada])];
  const api = new GroupApi(await service.as(root));
  await api.add(middle, inner);
  await api.add(outer, middle);
  await api.add(outer, ben);
});

const sql = (text: string, ...values: unknown[]) => service.database.query(text, values);
const check = () => repairs.check(1000);

describe('the closure of groups', () => {
  test('as the service maintains it is right, and a repair changes nothing', async () => {
    expect(await check()).toEqual({ checked: 2, wrong: 0, cyclic: [] });
    expect(await repairs.repair(root)).toEqual({ groups: 3, added: 0, removed: 0 });
    expect((await eventsOf(service, outer)).map(({ action }) => action)).not.toContain('group_updated');
  });

  test.each([
    [
      'a missing row deep in the groups',
      () => sql('DELETE FROM group_members_all WHERE user_id = $1', ada.id),
      { added: 3, removed: 0 },
    ],
    [
      'surplus rows of a person without a group',
      () => sql('INSERT INTO group_members_all VALUES ($1, $2), ($1, $3)', cleo.id, middle.id, outer.id),
      { added: 0, removed: 2 },
    ],
    [
      'an edge between groups that was removed',
      () => sql('DELETE FROM group_edges WHERE member_group_id = $1', inner.id),
      { added: 0, removed: 2 },
    ],
    [
      'an edge of a person that was added',
      () =>
        sql(
          `INSERT INTO group_edges (group_id, user_id, source, created_at) VALUES ($1, $2, 'manual', now())`,
          inner.id,
          cleo.id,
        ),
      { added: 3, removed: 0 },
    ],
  ])('%s is found and repaired', async (_name, change, repaired) => {
    await change();
    expect(await check()).toMatchObject({ wrong: 1 });
    expect(await repairs.repair(root)).toEqual({ groups: 3, ...repaired });
    expect(await check()).toMatchObject({ wrong: 0 });
    expect(await wrongRows(service)).toEqual([]);
  });

  test('a repair takes effect at once and is recorded', async () => {
    const workspace = await service.factory.workspace();
    await (
      await service.as(root)
    ).put(`/api/workspaces/${workspace.id}/grants/groups/${outer.id}`, { role: 'viewer' });
    await sql('DELETE FROM group_members_all WHERE user_id = $1', ada.id);
    const client = await service.as(ada);
    expect((await client.get('/api/workspaces')).body.workspaces).toEqual([]);
    await repairs.repair(root);
    expect((await client.get('/api/workspaces')).body.workspaces).toHaveLength(1);
    expect((await eventsOf(service, outer)).at(-1)).toMatchObject({
      action: 'group_updated',
      details: { repaired: { added: 1, removed: 0 } },
    });
  });

  test('a removed service account or person is not added again', async () => {
    await sql('DELETE FROM group_members_all WHERE user_id = $1', ada.id);
    await sql(`UPDATE users SET removed_at = now(), status = 'disabled' WHERE id = $1`, ada.id);
    expect(await repairs.repair(root)).toEqual({ groups: 3, added: 0, removed: 0 });
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
