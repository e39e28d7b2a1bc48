// SQL, because it counts up to a limit and takes the estimates of PostgreSQL above it.
import type { EntityManager } from 'typeorm';
import { execute, queryRows } from '../../core/database/execute.js';
import { countOrEstimate } from '../../core/database/row-estimate.js';
import { allMemberships } from '../groups/groups.queries.js';
import type { Holder } from './grant.js';
import { isActive } from './grants.queries.js';

export interface GrantCount {
  target: 'workspace' | 'report';
  holder: Holder['type'];
  /** Expired grants included; estimated if there are many. */
  count: number;
}

const sizeOf = (name: string): string => `(SELECT reltuples FROM pg_class WHERE oid = '${name}'::regclass)`;
const [all, ofGroups, onReports] = ['grants', 'grants_group_id_idx', 'grants_report_id_idx'].map(sizeOf);
/** Without grants on retired reports. */
const ofGroupsOnReports = sizeOf('grants_group_name_idx');

/** Each kind with its estimate from the sizes of partial indexes. */
const kinds = [
  ['workspace', 'user', `${all} - ${ofGroups} - ${onReports} + ${ofGroupsOnReports}`],
  ['workspace', 'group', `${ofGroups} - ${ofGroupsOnReports}`],
  ['report', 'user', `${onReports} - ${ofGroupsOnReports}`],
  ['report', 'group', ofGroupsOnReports],
] as const;

export function countGrants(manager: EntityManager): Promise<GrantCount[]> {
  const counts = kinds.map(([target, holder, estimate]) => {
    const where = `report_id IS ${target === 'report' ? 'NOT ' : ''}NULL AND ${holder}_id IS NOT NULL`;
    return `SELECT '${target}' AS target, '${holder}' AS holder,
      ${countOrEstimate(`grants WHERE ${where}`, estimate)} AS count`;
  });
  return queryRows<GrantCount>(manager, counts.join(' UNION ALL '), []);
}

/** Ids of up to 1,000 groups that hold an active grant and contain no one. */
export async function groupsWithoutPeople(manager: EntityManager): Promise<string[]> {
  const { rows } = await execute<{ id: string }>(
    manager,
    `SELECT group_id AS id
     FROM (SELECT DISTINCT group_id FROM grants WHERE group_id IS NOT NULL AND ${isActive('now()')}) AS holder
     WHERE NOT EXISTS (SELECT FROM (${allMemberships}) AS member WHERE member.group_id = holder.group_id) LIMIT 1000`,
    [],
  );
  return rows.map(({ id }) => id);
}
