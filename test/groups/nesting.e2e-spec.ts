import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Group } from '../../src/access/groups/group.entity.js';
import type { User } from '../../src/users/user.entity.js';
import { type Service, startService } from '../support/service.js';
import { isFull } from '../support/test-size.js';
import { GroupApi, wrongRows } from './group-api.js';

/** Of changes at the same time, whose order differs. */
const ROUNDS = isFull ? 5 : 2;
const CROWD = isFull ? 200_000 : 12_000;

let service: Service;
let groups: GroupApi;
let ada: User;
let ben: User;
let count = 0;

beforeAll(async () => {
  service = await startService();
  groups = new GroupApi(await service.asAdmin());
});
afterAll(() => service.close());
beforeEach(async () => {
  count += 1;
  ada = await service.factory.user({ name: 'Ada' });
  ben = await service.factory.user({ name: 'Ben' });
});
afterEach(async () => expect(await wrongRows(service)).toEqual([]));

/** New groups with these names. */
const make = (...names: string[]): Promise<Group[]> =>
  Promise.all(names.map((name) => service.factory.group({ name: `${name}${count}` })));

/** Groups, each in the one before it. */
async function chain(length: number): Promise<Group[]> {
  const made = await make(...Array.from({ length }, (_, index) => `chain ${index + 1} of `));
  for (let index = 1; index < length; index += 1)
    expect((await groups.add(made[index - 1]!, made[index]!)).status).toBe(204);
  return made;
}

describe('cycles', () => {
  test('409: a group in itself', async () => {
    const [a] = await make('A');
    const { status, body } = await groups.add(a!, a!);
    expect([status, body.code]).toEqual([409, 'group_cycle']);
    expect(body.detail).toContain(`${a!.name} → ${a!.name}`);
  });

  test('409: the outer group in an inner one; the detail shows the path', async () => {
    const [a, b, c] = await chain(3);
    const { status, body } = await groups.add(c!, a!);
    expect([status, body.code]).toEqual([409, 'group_cycle']);
    expect(body.detail).toContain([c, a, b, c].map((group) => group!.name).join(' → '));
  });

  test('of two edges that would close a cycle together, one is added', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [a, b] = [await service.factory.group({}, [ada]), await service.factory.group({}, [ben])];
      const responses = await Promise.all([groups.add(a, b), groups.add(b, a)]);
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([204, 409]));
    }
  });
});

describe('depth', () => {
  test('ten levels are possible, eleven are not', async () => {
    const made = await chain(10);
    await groups.add(made[9]!, ada);
    expect(await groups.count(made[0]!)).toBe(1);
    const [more] = await make('more');
    for (const response of [await groups.add(made[9]!, more!), await groups.add(more!, made[0]!)]) {
      expect([response.status, response.body.code]).toEqual([409, 'group_too_deep']);
      expect(response.body.detail).toContain('11 levels');
    }
    expect((await groups.add(made[8]!, more!)).status).toBe(204);
  });

  test('both sides count, by their longest chain', async () => {
    const [upper, lower] = [await chain(6), ((count += 1), await chain(5))];
    expect((await groups.add(upper[5]!, lower[0]!)).body.code).toBe('group_too_deep');
    expect((await groups.add(upper[0]!, lower[4]!)).status).toBe(204);
    expect((await groups.add(upper[4]!, lower[0]!)).status).toBe(204);
  });
});

describe('effective members', () => {
  test('each person has the shortest path; a direct member has none', async () => {
    const [outer, middle, inner] = await chain(3);
    await groups.add(inner!, ada);
    await groups.add(inner!, ben);
    await groups.add(outer!, ben);
    expect(await groups.people(outer!)).toEqual({ Ada: `${middle!.name}/${inner!.name}`, Ben: '' });
    expect(await groups.people(middle!)).toEqual({ Ada: inner!.name, Ben: inner!.name });
    await groups.add(outer!, inner!);
    expect(await groups.people(outer!)).toEqual({ Ada: inner!.name, Ben: '' });
  });

  test('of paths of equal length, the first by name; q searches people', async () => {
    const [outer, b, a] = await make('outer', 'B', 'A');
    for (const inner of [b!, a!]) {
      await groups.add(outer!, inner);
      await groups.add(inner, ada);
      await groups.add(inner, ben);
    }
    expect(await groups.people(outer!)).toEqual({ Ada: a!.name, Ben: a!.name });
    const found = await groups.members(outer!, '?effective=true&q=ben');
    expect(found).toEqual([{ type: 'user', id: ben.id, name: 'Ben', email: ben.email, path: [a!.name] }]);
  });
});

describe('several paths', () => {
  test('a diamond: the person stays until the last path is removed', async () => {
    const [top, left, right, bottom] = await make('top', 'left', 'right', 'bottom');
    for (const side of [left!, right!]) {
      await groups.add(top!, side);
      await groups.add(side, bottom!);
    }
    await groups.add(bottom!, ada);
    expect(await groups.count(top!)).toBe(1);
    await groups.remove(left!, bottom!);
    expect(await groups.people(top!)).toEqual({ Ada: `${right!.name}/${bottom!.name}` });
    expect(await groups.count(left!)).toBe(0);
    await groups.remove(top!, right!);
    expect(await groups.count(top!)).toBe(0);
    expect(await groups.count(right!)).toBe(1);
  });

  test.each([true, false])('a group in two others, one of them in the other: %s', async (isOuterFirst) => {
    const [first, second, inner] = await make('first', 'second', 'inner');
    const [outer, middle] = isOuterFirst ? [first!, second!] : [second!, first!];
    await groups.add(outer, middle);
    for (const group of [outer, middle]) await groups.add(group, inner!);
    await groups.addAll(inner!, { users: [ada.id, ben.id] });
    await groups.remove(inner!, ada);
    expect(await groups.people(outer)).toEqual({ Ben: inner!.name });
    await groups.delete(inner!);
    expect(await groups.count(outer)).toBe(0);
  });

  test('a direct member stays when the group between is removed', async () => {
    const [outer, inner] = await chain(2);
    await groups.addAll(inner!, { users: [ada.id, ben.id] });
    await groups.add(outer!, ada);
    await groups.remove(outer!, inner!);
    expect(await groups.people(outer!)).toEqual({ Ada: '' });
    await groups.add(outer!, inner!);
    await groups.remove(outer!, ada);
    expect(await groups.people(outer!)).toEqual({ Ada: inner!.name, Ben: inner!.name });
  });
});

describe('deletion of an inner group', () => {
  test('its people leave the outer groups, except through another path', async () => {
    const [outer, middle, inner] = await chain(3);
    await groups.addAll(inner!, { users: [ada.id, ben.id] });
    await groups.add(outer!, ben);
    expect((await groups.delete(middle!)).status).toBe(204);
    expect(await groups.people(outer!)).toEqual({ Ben: '' });
    expect(await groups.people(inner!)).toEqual({ Ada: '', Ben: '' });
    expect((await groups.members(outer!)).map(({ name }) => name)).toEqual(['Ben']);
  });

  test('while a person is added to it: the person is in it before, or gets a 404', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [outer, inner] = ((count += 1), await chain(2));
      const [deleted, added] = await Promise.all([groups.delete(inner!), groups.add(inner!, ada)]);
      expect(deleted.status).toBe(204);
      expect([204, 404]).toContain(added.status);
      expect(await groups.count(outer!)).toBe(0);
    }
  });
});

describe('changes at once', () => {
  test('one person is removed from two groups of the same outer group', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const inner = [await service.factory.group({}, [ada]), await service.factory.group({}, [ada])];
      const outer = await service.factory.group();
      for (const group of inner) await groups.add(outer, group);
      const responses = await Promise.all(inner.map((group) => groups.remove(group, ada)));
      expect(responses.map(({ status }) => status)).toEqual([204, 204]);
      expect(await groups.count(outer)).toBe(0);
    }
  });

  test('a person is removed from one group and added to another of the same outer group', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [before, after] = [await service.factory.group({}, [ada]), await service.factory.group()];
      const outer = await service.factory.group();
      for (const group of [before, after]) await groups.add(outer, group);
      await Promise.all([groups.remove(before, ada), groups.add(after, ada)]);
      expect(await groups.count(outer)).toBe(1);
    }
  });

  test('people are added to a group that becomes part of another', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [outer, inner] = [await service.factory.group(), await service.factory.group()];
      await Promise.all([groups.add(inner, ada), groups.add(outer, inner), groups.add(inner, ben)]);
      expect(await groups.count(outer)).toBe(2);
    }
  });
});

describe(`a group of ${CROWD.toLocaleString('en')} people`, () => {
  test('is added to 8 groups at once, removed and deleted', async () => {
    const outers = await make(...Array.from({ length: 8 }, (_, index) => `outer ${index} of `));
    const [middle, inner] = await make('middle', 'inner');
    await service.database.query(
      `WITH crowd AS (
         INSERT INTO users (id, email, name, role, status, attributes, created_at)
         SELECT gen_random_uuid(), 'crowd-' || n, 'Person', 'member', 'active', '{}', now()
         FROM generate_series(1, $2::int) AS n RETURNING id
       ) INSERT INTO group_edges (group_id, user_id, source, created_at) SELECT $1, id, 'manual', now() FROM crowd`,
      [inner!.id, CROWD],
    );
    for (const outer of outers) await groups.add(outer, middle!);
    await groups.add(middle!, ada);
    expect((await groups.add(middle!, inner!)).status).toBe(204);
    expect(await groups.count(outers[7]!)).toBe(CROWD + 1);
    expect((await groups.remove(middle!, inner!)).status).toBe(204);
    expect(await groups.people(outers[7]!)).toEqual({ Ada: middle!.name });
    await groups.add(outers[0]!, inner!);
    expect(await groups.count(outers[0]!)).toBe(CROWD + 1);
    expect((await groups.delete(inner!)).status).toBe(204);
    expect(await groups.count(outers[0]!)).toBe(1);
  });
});
