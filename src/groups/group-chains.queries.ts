import type { EntityManager } from 'typeorm';
import { execute } from '../core/database/execute.js';
import { findDirectGroups, findGroups, type NamedGroup } from './groups.queries.js';

/**
 * Bounds the chains of one holder: groups that contain each other in many ways have exponentially many. Every group
 * that is reached keeps its shortest chain.
 */
const MAX_CHAINS = 1000;

/**
 * Returns the chains of groups that contain the user, by the id of their outermost group: from that group to the one that
 * contains the user directly, the shortest first. Walks level by level, as the closure does.
 */
export async function findGroupChains(
  manager: EntityManager,
  userId: string,
): Promise<ReadonlyMap<string, NamedGroup[][]>> {
  const direct = new Set((await findDirectGroups(manager, [userId])).map(({ group }) => group));
  return findOuterChains(manager, [...direct]);
}

/** Returns the chains of groups from these groups outwards, these included, in the same form. */
export async function findOuterChains(
  manager: EntityManager,
  groups: readonly string[],
): Promise<ReadonlyMap<string, NamedGroup[][]>> {
  const found: string[][] = [];
  const reached = new Set(groups);
  const isFirst = (group: string): boolean => reached.size < reached.add(group).size;
  for (let level = groups.map((id) => [id]); level.length > 0;) {
    found.push(...level);
    const { rows } = await execute<{ outer: string; inner: string }>(
      manager,
      `SELECT DISTINCT group_id AS "outer", member_group_id AS "inner" FROM group_edges
       WHERE member_group_id = ANY($1::uuid[])`,
      [level.map(([outermost]) => outermost)],
    );
    const containing = Map.groupBy(rows, ({ inner }) => inner);
    const room = MAX_CHAINS - found.length;
    level = level
      .flatMap((chain) =>
        (containing.get(chain[0] ?? '') ?? [])
          .filter(({ outer }) => !chain.includes(outer))
          .map(({ outer }) => [outer, ...chain]),
      )
      .filter(([outermost = ''], index) => isFirst(outermost) || index < room);
  }
  const names = new Map(
    (await findGroups(manager, [...new Set(found.flat())])).map(({ id, name }) => [id, name]),
  );
  const named = found.map((chain) => chain.map((id) => ({ id, name: names.get(id) ?? '' })));
  return Map.groupBy(named, ([outermost]) => outermost?.id ?? '');
}
