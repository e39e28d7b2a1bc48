import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Group } from '../../src/access/groups/group.entity.js';
import type { User } from '../../src/users/user.entity.js';
import { type Service, startService } from '../support/service.js';
import { isFull, parts, PROPERTY_TIMEOUT_MS, propertyLimits } from '../support/test-size.js';
import { GroupApi, wrongRows } from './group-api.js';

const COUNT = isFull ? 250 : 50;
const GROUPS = 5;
const PEOPLE = 2;

let service: Service;
let groups: GroupApi;
let people: User[];

beforeAll(async () => {
  service = await startService();
  groups = new GroupApi(await service.asAdmin());
  people = await Promise.all(Array.from({ length: PEOPLE }, () => service.factory.user()));
});
afterAll(() => service.close());

const group = fc.nat(GROUPS - 1);
const person = fc.nat(PEOPLE - 1);
/** Nesting is more frequent than anything else: it makes the paths. */
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('nest' as const), group, inner: group }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add' as const), group, person }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('unnest' as const), group, inner: group }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('remove' as const), group, person }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), group }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('bulk' as const),
      group,
      people: fc.array(person),
      inner: fc.array(group, { maxLength: 2 }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const statuses = new Map<number, number>();

async function run(made: readonly Group[], change: Step): Promise<void> {
  const at = (index: number): Group => made[index]!;
  const send = {
    nest: ({ group, inner }: Step & { do: 'nest' }) => groups.add(at(group), at(inner)),
    unnest: ({ group, inner }: Step & { do: 'unnest' }) => groups.remove(at(group), at(inner)),
    add: ({ group, person }: Step & { do: 'add' }) => groups.add(at(group), people[person]!),
    remove: ({ group, person }: Step & { do: 'remove' }) => groups.remove(at(group), people[person]!),
    delete: ({ group }: Step & { do: 'delete' }) => groups.delete(at(group)),
    bulk: ({ group, inner, people: chosen }: Step & { do: 'bulk' }) =>
      groups.addAll(at(group), {
        users: chosen.map((index) => people[index]!.id),
        groups: inner.map((index) => at(index).id),
      }),
  };
  const { status } = await (send[change.do] as (step: Step) => ReturnType<GroupApi['add']>)(change);
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}

test.each(parts)(
  `members follow from the edges after any changes: ${COUNT} models (%i)`,
  async () => {
    const changes = fc.array(step, { minLength: 10, maxLength: 40 });
    let tested = 0;
    const holds = fc.asyncProperty(changes, fc.boolean(), async (steps, isParallel) => {
      const made = await Promise.all(Array.from({ length: GROUPS }, () => service.factory.group()));
      if (isParallel) {
        for (let index = 0; index < steps.length; index += 4)
          await Promise.all(steps.slice(index, index + 4).map((change) => run(made, change)));
      } else for (const change of steps) await run(made, change);
      expect(await wrongRows(service)).toEqual([]);
      tested += 1;
    });
    await fc.assert(holds, { ...propertyLimits, numRuns: COUNT });
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([204, 404, 409]));
    expect([204, 400, 404, 409]).toEqual(expect.arrayContaining([...statuses.keys()]));
    expect(tested).toBeGreaterThanOrEqual(COUNT / 5);
    expect(statuses.get(204)).toBeGreaterThan(tested * 5);
  },
  PROPERTY_TIMEOUT_MS,
);
