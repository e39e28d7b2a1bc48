// SQL, because it aggregates members into arrays.
import type { EntityManager } from 'typeorm';
import { execute } from '../../core/database/execute.js';
import type { GroupSource } from './group.entity.js';

/** Memberships of one kind in one group. */
export interface EndedMemberships {
  group: string;
  type: 'user' | 'group';
  source: GroupSource;
  members: string[];
}

export interface RightsHolder {
  type: 'user' | 'group';
  id: string;
}

/** The direct memberships of a person or a group in groups, and the direct members of a group. */
export async function findMembershipsOf(
  tx: EntityManager,
  { type, id }: RightsHolder,
): Promise<EndedMemberships[]> {
  const { rows } = await execute<EndedMemberships>(
    tx,
    `SELECT group_id AS "group", CASE WHEN user_id IS NULL THEN 'group' ELSE 'user' END AS type, source,
       array_agg(coalesce(user_id, member_group_id)::text) AS members
     FROM group_edges WHERE ${type === 'user' ? 'user_id = $1' : 'group_id = $1 OR member_group_id = $1'}
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    [id],
  );
  return rows;
}
