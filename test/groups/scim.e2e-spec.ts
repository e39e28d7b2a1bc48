import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ScimGroupChange } from '../../src/access/groups/scim-groups.service.js';
import { ScimGroupsService } from '../../src/access/groups/scim-groups.service.js';
import type { User } from '../../src/users/user.entity.js';
import { type Service, startService } from '../support/service.js';
import { eventsOf, GroupApi, wrongRows } from './group-api.js';

let service: Service;
let api: GroupApi;
let scim: ScimGroupsService;
let actor: User;
let ada: User;
let ben: User;
let sales: { id: string };

beforeAll(async () => {
  service = await startService();
  api = new GroupApi(await service.asAdmin());
  scim = service.app.get(ScimGroupsService);
});
afterAll(() => service.close());
beforeEach(async () => {
  actor = await service.factory.user({ kind: 'service', passwordHash: null });
  [ada, ben] = [await service.factory.user({ name: 'Ada' }), await service.factory.user({ name: 'Ben' })];
  sales = await create();
});
afterEach(async () => expect(await wrongRows(service)).toEqual([]));

const create = async (given: Partial<ScimGroupChange> = {}): Promise<{ id: string }> => ({
  id: await scim.create(actor, { name: uuidv7(), ...given }),
});
const change = ({ id }: { id: string }, changes: ScimGroupChange): Promise<void> =>
  scim.change(actor, id, changes);
const add = (group: { id: string }, ...members: { id: string }[]): Promise<void> =>
  change(group, { members: { isReplaced: false, added: members.map(({ id }) => id), removed: [] } });
const remove = (group: { id: string }, ...members: { id: string }[]): Promise<void> =>
  change(group, { members: { isReplaced: false, added: [], removed: members.map(({ id }) => id) } });
const replace = (group: { id: string }, ...members: { id: string }[]): Promise<void> =>
  change(group, { members: { isReplaced: true, added: members.map(({ id }) => id), removed: [] } });
const membersOf = async (group: { id: string }): Promise<string[]> =>
  (await scim.listMembers([group.id])).map(({ id }) => id).toSorted();
const ids = (...members: { id: string }[]): string[] => members.map(({ id }) => id).toSorted();

describe('members', () => {
  test('are added once, removed and replaced', async () => {
    await add(sales, ada);
    await add(sales, ada, ben);
    expect(await membersOf(sales)).toEqual(ids(ada, ben));
    await remove(sales, ada, { id: uuidv7() }, { id: 'no uuid' });
    await remove(sales, ada);
    expect(await membersOf(sales)).toEqual(ids(ben));
    await replace(sales, ada);
    expect(await membersOf(sales)).toEqual(ids(ada));
    await replace(sales);
    expect(await membersOf(sales)).toEqual([]);
  });

  test('groups in groups pass their people on', async () => {
    const [outer, inner] = [await create(), await create()];
    await add(inner, ada);
    await add(outer, inner, ben);
    expect(await api.people(outer)).toEqual({ Ada: expect.any(String), Ben: '' });
    await remove(outer, inner);
    expect(await api.people(outer)).toEqual({ Ben: '' });
    await replace(outer, inner);
    expect(await api.people(outer)).toEqual({ Ada: expect.any(String) });
    await replace(outer, ada);
    expect(await api.people(outer)).toEqual({ Ada: '' });
  });

  test.each<[string, () => Promise<{ id: string }>]>([
    ['an unknown id', async () => ({ id: uuidv7() })],
    ['no UUID', async () => ({ id: 'ada@example.com' })],
    ['a manual group', () => service.factory.group()],
    ['a service account', () => service.factory.user({ kind: 'service', passwordHash: null })],
    ['an erased person', () => service.factory.user({ status: 'disabled', removedAt: new Date() })],
  ])('unknown: %s is named, and nothing changes', async (_, member) => {
    const unknown = await member();
    await add(sales, ben);
    const name = uuidv7();
    const members = { isReplaced: true, added: [ada.id, unknown.id], removed: [] };
    const detail = `/members: no user or group has the id ${unknown.id}`;
    await expect(change(sales, { name, members })).rejects.toMatchObject({ code: 'invalid_request', detail });
    expect(await membersOf(sales)).toEqual(ids(ben));
    expect((await scim.get(sales.id)).name).not.toBe(name);
    await expect(scim.create(actor, { name, members })).rejects.toMatchObject({ detail });
    expect(await scim.list(() => 'true', { offset: 0, limit: 1000 })).not.toMatchObject({
      groups: expect.arrayContaining([expect.objectContaining({ name })]),
    });
  });

  test('a disabled person can be a member', async () => {
    const disabled = await service.factory.user({ status: 'disabled' });
    await add(sales, disabled);
    expect(await membersOf(sales)).toEqual(ids(disabled));
  });

  test('a cycle, also through several groups, and the group itself', async () => {
    const [outer, inner] = [await create(), await create()];
    await add(outer, sales);
    await add(sales, inner);
    for (const member of [outer, sales, inner])
      await expect(add(inner, member)).rejects.toMatchObject({ code: 'group_cycle' });
    expect(await membersOf(inner)).toEqual([]);
  });

  test('more than ten levels', async () => {
    let outermost = await create();
    for (let levels = 2; levels <= 10; levels += 1) {
      const next = await create();
      await add(next, outermost);
      outermost = next;
    }
    const next = await create();
    await expect(add(next, outermost)).rejects.toMatchObject({ code: 'group_too_deep' });
  });

  test('at the same time in one group', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => service.factory.user()));
    const inner = await create();
    await Promise.all([
      ...people.map((person) => add(sales, person)),
      add(sales, inner),
      replace(inner, ada),
    ]);
    expect(await membersOf(sales)).toEqual(ids(...people, inner));
    await Promise.all(people.map((person) => remove(sales, person)));
    expect(await membersOf(sales)).toEqual(ids(inner));
  });
});

describe('groups', () => {
  test('a name and an id of the provider are unique, a name also among manual groups', async () => {
    const manual = await service.factory.group({ name: `Manual ${uuidv7()}` });
    const name = manual.name.toUpperCase();
    await expect(create({ name })).rejects.toMatchObject({ code: 'group_name_taken' });
    await expect(change(sales, { name })).rejects.toMatchObject({ code: 'group_name_taken' });
    const externalId = uuidv7();
    const first = await create({ externalId });
    await expect(create({ externalId })).rejects.toMatchObject({ code: 'conflict' });
    await expect(change(sales, { externalId })).rejects.toMatchObject({ code: 'conflict' });
    expect(await scim.get(first.id)).toMatchObject({ externalId });
  });

  test('a manual group does not exist for SCIM', async () => {
    const manual = await service.factory.group({}, [ada]);
    const code = 'group_not_found';
    await expect(scim.get(manual.id)).rejects.toMatchObject({ code });
    await expect(replace(manual)).rejects.toMatchObject({ code });
    await expect(scim.remove(actor, manual.id)).rejects.toMatchObject({ code });
    expect(await scim.listMembers([manual.id])).toEqual([]);
    expect(await api.count(manual)).toBe(1);
  });

  test('a deleted group leaves no membership, also in a manual group around it', async () => {
    const outer = await service.factory.group();
    await add(sales, ada);
    await api.add(outer, sales);
    expect(await api.count(outer)).toBe(1);
    await scim.remove(actor, sales.id);
    expect(await api.count(outer)).toBe(0);
    await expect(scim.remove(actor, sales.id)).rejects.toMatchObject({ code: 'group_not_found' });
  });

  test('the time of the last change moves with members and names only', async () => {
    const { updatedAt } = await scim.get(sales.id);
    service.clock.advance(60);
    await change(sales, {});
    await remove(sales, ada);
    expect((await scim.get(sales.id)).updatedAt).toEqual(updatedAt);
    await add(sales, ada);
    const after = (await scim.get(sales.id)).updatedAt.getTime();
    expect(after - updatedAt.getTime()).toBeGreaterThanOrEqual(60_000);
  });
});

describe('audit', () => {
  test('each change of a few members is an event', async () => {
    const name = `Sales ${uuidv7()}`;
    const group = await create({
      name,
      externalId: name,
      members: { isReplaced: false, added: [ada.id], removed: [] },
    });
    const details = { source: 'scim', member_type: 'user' };
    await replace(group, ben);
    await change(group, { name: `${name} 2` });
    await add(group, ben);
    await scim.remove(actor, group.id);
    expect(await eventsOf(service, group)).toEqual([
      { action: 'group_created', details: { name, source: 'scim', external_id: name } },
      { action: 'group_member_added', details: { ...details, member_id: ada.id } },
      { action: 'group_member_removed', details: { ...details, member_id: ada.id } },
      { action: 'group_member_added', details: { ...details, member_id: ben.id } },
      { action: 'group_updated', details: { diff: { name: { from: name, to: `${name} 2` } } } },
      { action: 'group_member_removed', details: { ...details, member_id: ben.id } },
      { action: 'group_deleted', details: { name: `${name} 2`, source: 'scim' } },
    ]);
  });

  test('many members are one event for up to 1000 of them', async () => {
    const people: User[] = await service.database.query(
      `INSERT INTO users (id, email, name, role, status, created_at)
       SELECT gen_random_uuid(), 'bulk' || n || '@example.com', 'Bulk', 'member', 'active', now()
       FROM generate_series(1, 1200) n RETURNING id`,
    );
    await replace(sales, ...people);
    const added = (await eventsOf(service, sales)).slice(1);
    expect(added).toMatchObject([
      { action: 'group_member_added', details: { source: 'scim', member_type: 'user', members: 1000 } },
      { action: 'group_member_added', details: { members: 200 } },
    ]);
    const named = added.flatMap(({ details }) => (details as { member_ids: string[] }).member_ids);
    expect(named.toSorted()).toEqual(ids(...people));
  });
});

test('roles on the platform do not come from groups: an admin stays one when the group is deleted', async () => {
  const me = (await api.api.get<{ id: string; role: string }>('/api/users/me')).body;
  await add(sales, me);
  await replace(sales);
  await add(sales, me);
  await scim.remove(actor, sales.id);
  expect((await api.api.get<{ role: string }>('/api/users/me')).body.role).toBe('admin');
});
