import type { EntityManager } from 'typeorm';
import { execute } from '../../core/database/execute.js';
import { rowEstimate } from '../../core/database/row-estimate.js';
import type { GroupSource } from './group.entity.js';

export interface GroupCounts {
  groups: { source: GroupSource; count: number }[];
  /** Direct memberships of users; estimated if there are many. */
  memberships: number;
}

export async function countGroups(manager: EntityManager): Promise<GroupCounts> {
  const { rows: groups } = await execute<GroupCounts['groups'][number]>(
    manager,
    'SELECT source, count(*)::int AS count FROM groups GROUP BY source',
    [],
  );
  const { rows } = await execute<{ memberships: number }>(
    manager,
    `SELECT ${rowEstimate('group_edges', 'user_id')} AS memberships`,
    [],
  );
  return { groups, memberships: rows[0]?.memberships ?? 0 };
}
