import type { EntityManager } from 'typeorm';
import { execute } from '../core/database/execute.js';
import { rowEstimate } from '../core/database/row-estimate.js';
import { allMemberships } from '../groups/groups.queries.js';
import type { Holder } from './grant.js';
import { isActive } from './grants.queries.js';

export interface GrantCount {
  target: 'workspace' | 'report';
  holder: Holder['type'];
  /** Expired grants included; estimated if there are many. */
  count: number;
}

const kinds = [
  ['workspace', 'user'],
  ['workspace', 'group'],
  ['report', 'user'],
  ['report', 'group'],
] as const;

export async function countGrants(manager: EntityManager): Promise<GrantCount[]> {
  const counts = kinds.map(
    ([target, holder]) =>
      `SELECT '${target}' AS target, '${holder}' AS holder,
         ${rowEstimate(`${target}_grants`, `${holder}_id`)} AS count`,
  );
  const { rows } = await execute<GrantCount>(manager, counts.join(' UNION ALL '), []);
  return rows;
}

/** Ids of up to 1,000 groups that hold an active grant and contain no one. */
export async function groupsWithoutPeople(manager: EntityManager): Promise<string[]> {
  const held = (table: string): string =>
    `SELECT group_id FROM ${table} WHERE group_id IS NOT NULL AND ${isActive('now()')}`;
  const { rows } = await execute<{ id: string }>(
    manager,
    `SELECT group_id AS id FROM (${held('workspace_grants')} UNION ${held('report_grants')}) AS holder
     WHERE NOT EXISTS (SELECT FROM (${allMemberships}) AS member WHERE member.group_id = holder.group_id) LIMIT 1000`,
    [],
  );
  return rows.map(({ id }) => id);
}
