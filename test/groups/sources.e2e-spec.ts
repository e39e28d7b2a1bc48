import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CacheInvalidationService, type Keys } from '../../src/core/database/cache-invalidation.service.js';
import { DatabaseService } from '../../src/core/database/database.service.js';
import type { Group, GroupSource } from '../../src/access/groups/group.entity.js';
import { UserGroupsService } from '../../src/access/groups/user-groups.service.js';
import type { User } from '../../src/users/user.entity.js';
import { type Service, startService } from '../support/service.js';
import { eventsOf, GroupApi, wrongRows } from './group-api.js';

let service: Service;
let groups: GroupApi;
let ada: User;
let sales: Group;
let support: Group;

beforeAll(async () => {
  service = await startService();
  groups = new GroupApi(await service.asAdmin());
});
afterAll(() => service.close());
beforeEach(async () => {
  ada = await service.factory.user({ name: 'Ada' });
  [sales, support] = [await service.factory.group(), await service.factory.group()];
});
afterEach(async () => expect(await wrongRows(service)).toEqual([]));

const setGroups = (source: GroupSource, ...ids: string[]): Promise<boolean> =>
  service.app
    .get(DatabaseService)
    .transaction((tx) => service.app.get(UserGroupsService).setUserGroups(tx, ada.id, ids, source));

/** The user ids that are published as changed; undefined for all. */
async function published(change: () => Promise<unknown>): Promise<Keys[]> {
  const keys: Keys[] = [];
  let isListening = true;
  service.app.get(CacheInvalidationService).on('rights', (changed) => {
    if (isListening) keys.push(changed);
  });
  await change();
  isListening = false;
  return keys;
}

describe('setUserGroups', () => {
  test('makes the groups of a source exactly these, with audit events', async () => {
    expect(await setGroups('provider', sales.id, uuidv7())).toBe(true);
    expect(await setGroups('provider', sales.id)).toBe(false);
    expect(await setGroups('provider', support.id)).toBe(true);
    expect([await groups.count(sales), await groups.count(support)]).toEqual([0, 1]);
    const details = { source: 'provider', member_type: 'user', member_id: ada.id };
    expect(await eventsOf(service, sales)).toEqual([
      { action: 'group_member_added', details },
      { action: 'group_member_removed', details },
    ]);
  });

  test('each source has its own memberships', async () => {
    await groups.add(sales, ada);
    await setGroups('provider', sales.id);
    await setGroups('scim', sales.id);
    await setGroups('provider');
    expect(await groups.people(sales)).toEqual({ Ada: '' });
    expect((await groups.remove(sales, ada)).status).toBe(204);
    expect((await groups.remove(sales, ada)).body.code).toBe('group_member_not_found');
    expect(await groups.count(sales)).toBe(1);
    await setGroups('scim');
    expect(await groups.count(sales)).toBe(0);
  });

  test('has no effect on a removed user', async () => {
    ada = await service.factory.user({ status: 'disabled', removedAt: new Date() });
    expect(await setGroups('provider', sales.id)).toBe(false);
  });

  test('at the same time as changes of the groups', async () => {
    for (let round = 0; round < 5; round += 1) {
      const outer = await service.factory.group();
      const both = [groups.add(outer, sales), groups.add(outer, support)];
      await Promise.all([setGroups('provider', sales.id, support.id), ...both]);
      expect(await groups.people(outer)).toMatchObject({ Ada: expect.any(String) });
      await setGroups('provider');
    }
  });
});

describe('a removed user', () => {
  test('an erased person is in no group', async () => {
    await groups.add(support, sales);
    await groups.add(sales, ada);
    await setGroups('provider', sales.id);
    await groups.api.patch(`/api/users/${ada.id}`, { status: 'disabled' });
    expect((await groups.api.post(`/api/users/${ada.id}/erase`)).status).toBe(204);
    expect([await groups.members(sales), await groups.count(support)]).toEqual([[], 0]);
  });

  test('a person who is erased while groups change is in no group', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await service.factory.user({ status: 'disabled' });
      const [inner, outer] = [await service.factory.group({}, [person]), await service.factory.group()];
      const [erased] = await Promise.all([
        groups.api.post(`/api/users/${person.id}/erase`),
        groups.add(outer, inner),
        groups.add(support, person),
      ]);
      expect(erased.status).toBe(204);
      expect([await groups.count(inner), await groups.count(outer), await groups.count(support)]).toEqual([
        0, 0, 0,
      ]);
    }
  });

  test('a deleted service account is in no group', async () => {
    const { body } = await groups.api.post<{ id: string }>('/api/service-accounts', { name: 'Nightly' });
    await groups.addAll(sales, { users: [body.id] });
    expect((await groups.api.delete(`/api/service-accounts/${body.id}`)).status).toBe(204);
    expect(await groups.members(sales)).toEqual([]);
  });
});

describe('published changes', () => {
  test('one person: only that person', async () => {
    expect(await published(() => groups.add(sales, ada))).toContainEqual([ada.id]);
    expect(await published(() => groups.remove(sales, ada))).toContainEqual([ada.id]);
    expect(await published(() => setGroups('scim', sales.id))).toContainEqual([ada.id]);
  });

  test('several people, and groups, in one request', async () => {
    const users = [ada.id, (await service.factory.user()).id];
    expect(await published(() => groups.addAll(sales, { users }))).toContain(undefined);
    expect(await published(() => groups.add(support, sales))).toContain(undefined);
    expect(await published(() => groups.remove(support, sales))).toContain(undefined);
    expect(await published(() => groups.delete(sales))).toContain(undefined);
  });
});
