import type { EntityManager } from 'typeorm';
import { execute } from '../core/database/execute.js';

/** An edge between two groups. */
export interface Nesting {
  outer: string;
  inner: string;
}

export async function findNesting(manager: EntityManager): Promise<Nesting[]> {
  const { rows } = await execute<Nesting>(
    manager,
    `SELECT DISTINCT group_id AS "outer", member_group_id AS "inner" FROM group_edges
     WHERE member_group_id IS NOT NULL`,
    [],
  );
  return rows;
}

export async function findGroupIds(manager: EntityManager): Promise<string[]> {
  const { rows } = await execute<{ id: string }>(manager, 'SELECT id FROM groups ORDER BY id', []);
  return rows.map(({ id }) => id);
}

/** Ids of up to `limit` users with memberships, at random. Reads a sample of the rows where there are many. */
export async function sampleUsers(manager: EntityManager, limit: number): Promise<string[]> {
  const sample = (table: string): string =>
    `(SELECT user_id FROM ${table} TABLESAMPLE BERNOULLI (least(100, 200.0 * $1::int / greatest(1,
        (SELECT reltuples FROM pg_class WHERE oid = '${table}'::regclass)))::real)
      WHERE user_id IS NOT NULL LIMIT 2 * $1::int)`;
  const { rows } = await execute<{ id: string }>(
    manager,
    `SELECT DISTINCT user_id AS id FROM (${sample('group_edges')} UNION ALL ${sample('group_members_all')}) AS member
     LIMIT $1::int`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** The rows of `group_members_all` of these users. */
export async function findMemberships(
  manager: EntityManager,
  users: readonly string[],
): Promise<{ user: string; group: string }[]> {
  const { rows } = await execute<{ user: string; group: string }>(
    manager,
    'SELECT user_id AS "user", group_id AS "group" FROM group_members_all WHERE user_id = ANY($1::uuid[])',
    [users],
  );
  return rows;
}

/** People whom a group must contain: its direct members, and those of the groups directly in it. */
const justified = `SELECT user_id FROM group_edges WHERE group_id = $1 AND user_id IS NOT NULL
  UNION SELECT user_id FROM group_members_all WHERE group_id IN (
    SELECT member_group_id FROM group_edges WHERE group_id = $1 AND member_group_id IS NOT NULL)`;

/** People whom a group lacks, if the groups in it are right. */
export async function findMissing(tx: EntityManager, group: string): Promise<string[]> {
  const { rows } = await execute<{ id: string }>(
    tx,
    `SELECT user_id AS id FROM (${justified}) AS expected
     EXCEPT SELECT user_id FROM group_members_all WHERE group_id = $1`,
    [group],
  );
  return rows.map(({ id }) => id);
}

/** Removes the people whom a group contains without reason, if the groups in it are right. Returns how many. */
export async function deleteSurplus(tx: EntityManager, group: string): Promise<number> {
  const { rowCount } = await execute(
    tx,
    `DELETE FROM group_members_all WHERE group_id = $1 AND user_id IN (
       SELECT user_id FROM group_members_all WHERE group_id = $1 EXCEPT (${justified}))`,
    [group],
  );
  return rowCount ?? 0;
}
