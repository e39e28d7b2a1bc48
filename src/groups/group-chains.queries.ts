import type { EntityManager } from 'typeorm';
import { execute } from '../core/database/execute.js';
import { findDirectGroups, findGroups, type NamedGroup } from './groups.queries.js';

/** Bounds the chains of one holder: groups that contain each other in many ways have exponentially many. */
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
  for (let level = groups.map((id) => [id]); level.length > 0;) {
    found.push(...level);
    const { rows } = await execute<{ outer: string; inner: string }>(
      manager,
      `SELECT DISTINCT group_id AS "outer", member_group_id AS "inner" FROM group_edges
       WHERE member_group_id = ANY($1::uuid[])`,
      [level.map(([outermost]) => outermost)],
    );
    const containing = Map.groupBy(rows, ({ inner }) => inner);
    level = level
      .flatMap((chain) => (containing.get(chain[0] ?? '') ?? []).map(({ outer }) => [outer, ...chain]))
      .slice(0, Math.max(0, MAX_CHAINS - found.length));
  }
  const names = new Map(
    (await findGroups(manager, [...new Set(found.flat())])).map(({ id, name }) => [id, name]),
  );
  const named = found.map((chain) => chain.map((id) => ({ id, name: names.get(id) ?? '' })));
  return Map.groupBy(named, ([outermost]) => outermost?.id ?? '');
}
