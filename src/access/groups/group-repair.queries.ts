// SQL, because it compares the closure with a recursive walk.
import type { EntityManager } from 'typeorm';
import { execute, queryRows } from '../../core/database/execute.js';
import { Group, GroupEdge } from './group.entity.js';

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
