// SQL, because the closure is maintained by set statements.
import type { EntityManager } from 'typeorm';
import { execute, queryRows, setLocal } from '../../core/database/execute.js';
import { Group, GroupEdge } from './group.entity.js';

/** Stores that each of the inner groups is in each of the outer ones. */
export const insertPairs = (
  tx: EntityManager,
  outer: readonly string[],
  inner: readonly string[],
): Promise<unknown> =>
  execute(
    tx,
    `INSERT INTO group_closure (outer_id, inner_id)
     SELECT outer_id, inner_id FROM unnest($1::uuid[]) AS outer_id, unnest($2::uuid[]) AS inner_id
     ON CONFLICT DO NOTHING`,
    [outer, inner],
  );

/**
 * After the removal of an edge from one of `outer` to one of `inner`: removes the inner groups from the outer ones that
 * contain them on no other way. `outer` contains every group that contains one of `outer`, and `inner` every group in one of
 * `inner`; pairs of other groups are right.
 */
export async function deleteUnjustifiedPairs(
  tx: EntityManager,
  outer: readonly string[],
  inner: readonly string[],
): Promise<void> {
  // For a recursive statement PostgreSQL expects millions of rows and compiles it, which takes longer.
  await setLocal(tx, 'jit', 'off');
  await execute(
    tx,
    `WITH RECURSIVE kept (outer_id, inner_id) AS (
       SELECT edge.group_id, pair.inner_id FROM group_edges edge
       JOIN group_closure pair ON pair.outer_id = edge.member_group_id
       WHERE edge.group_id = ANY($1::uuid[]) AND edge.member_group_id <> ALL($1::uuid[])
         AND pair.inner_id = ANY($2::uuid[])
       UNION
       SELECT edge.group_id, kept.inner_id FROM kept
       JOIN group_edges edge ON edge.member_group_id = kept.outer_id WHERE edge.group_id = ANY($1::uuid[])
     )
     DELETE FROM group_closure pair WHERE outer_id = ANY($1::uuid[]) AND inner_id = ANY($2::uuid[])
       AND NOT EXISTS (SELECT FROM kept WHERE kept.outer_id = pair.outer_id AND kept.inner_id = pair.inner_id)`,
    [outer, inner],
    false,
  );
}

/** Ids of all people and service accounts in a group and in the groups that it contains. */
export async function membersOf(manager: EntityManager, group: string): Promise<string[]> {
  const members = await manager
    .createQueryBuilder(GroupEdge, 'edge')
    .select('edge.user', 'id')
    .distinct()
    .where('edge.user IS NOT NULL')
    .andWhere('edge.group IN (SELECT inner_id FROM group_closure WHERE outer_id = :group)', { group })
    .getRawMany<{ id: string }>();
  return members.map(({ id }) => id);
}

/** An edge between two groups. */
export interface Nesting {
  outer: string;
  inner: string;
}

export const findNesting = (manager: EntityManager): Promise<Nesting[]> =>
  manager
    .createQueryBuilder(GroupEdge, 'edge')
    .select('edge.group', 'outer')
    .addSelect('edge.memberGroup', 'inner')
    .distinct()
    .where('edge.memberGroup IS NOT NULL')
    .getRawMany<Nesting>();

export async function findGroupIds(manager: EntityManager): Promise<string[]> {
  const found = await manager.find(Group, { select: { id: true }, order: { id: 'ASC' } });
  return found.map(({ id }) => id);
}

/** What follows from the edges. Ends on a cycle, too. */
const expected = `walk (outer_id, inner_id) AS (
  SELECT id, id FROM groups
  UNION SELECT edge.group_id, walk.inner_id FROM walk JOIN group_edges edge ON edge.member_group_id = walk.outer_id
)`;

/** How many groups a group lacks, and how many it contains without reason. */
interface Difference {
  group: string;
  added: number;
  removed: number;
}

/** The groups whose rows in `group_closure` do not follow from the edges. */
export function findDifferences(manager: EntityManager): Promise<Difference[]> {
  return queryRows<Difference>(
    manager,
    `WITH RECURSIVE ${expected}
     SELECT outer_id AS "group", (count(*) FILTER (WHERE stored.inner_id IS NULL))::int AS added,
       (count(*) FILTER (WHERE walk.inner_id IS NULL))::int AS removed
     FROM walk FULL JOIN group_closure stored USING (outer_id, inner_id)
     WHERE stored.inner_id IS NULL OR walk.inner_id IS NULL GROUP BY 1 ORDER BY 1`,
    [],
  );
}

/** Makes `group_closure` what follows from the edges. */
export async function recomputeClosure(tx: EntityManager): Promise<void> {
  await execute(
    tx,
    `WITH RECURSIVE ${expected}
     INSERT INTO group_closure (outer_id, inner_id) SELECT outer_id, inner_id FROM walk ON CONFLICT DO NOTHING`,
    [],
  );
  await execute(
    tx,
    `WITH RECURSIVE ${expected}
     DELETE FROM group_closure stored
     WHERE NOT EXISTS (SELECT FROM walk WHERE walk.outer_id = stored.outer_id AND walk.inner_id = stored.inner_id)`,
    [],
  );
}
