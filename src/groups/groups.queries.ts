import type { EntityManager } from 'typeorm';

/** SQL subquery: ids of the groups that contain the user, directly or through groups in them. */
export const groupsOf = (user: string): string =>
  `SELECT group_id FROM group_members_all WHERE user_id = ${user}`;

export interface GroupName {
  id: string;
  name: string;
}

/**
 * Returns every chain of groups that contain the user, by the id of its outermost group: from that group to the one that
 * contains the user directly.
 */
export async function findGroupChains(
  manager: EntityManager,
  userId: string,
): Promise<ReadonlyMap<string, GroupName[][]>> {
  const rows = await manager.query<{ ids: string[]; names: string[] }[]>(
    `WITH RECURSIVE chains AS (
       SELECT group_id AS outer_id, ARRAY[group_id] AS ids FROM group_edges WHERE user_id = $1
       UNION
       SELECT e.group_id, e.group_id || chains.ids FROM chains JOIN group_edges e ON e.member_group_id = outer_id
     )
     SELECT ids, ARRAY(SELECT name FROM unnest(ids) WITH ORDINALITY AS step (id, position)
       JOIN groups USING (id) ORDER BY position) AS names
     FROM chains ORDER BY cardinality(ids), names LIMIT 1000`,
    [userId],
  );
  const chains = new Map<string, GroupName[][]>();
  for (const { ids, names } of rows) {
    const chain = ids.map((id, index) => ({ id, name: names[index] ?? '' }));
    const outermost = ids[0] ?? '';
    chains.set(outermost, [...(chains.get(outermost) ?? []), chain]);
  }
  return chains;
}
