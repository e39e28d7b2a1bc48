import type { EntityManager } from 'typeorm';
import { execute } from '../core/database/execute.js';

/** Bounds a statement over the people of a large group below the statement timeout. */
const BATCH = 5000;

/** All people of these groups, in order of their ids. */
export async function* peopleInBatches(
  tx: EntityManager,
  groups: readonly string[],
): AsyncGenerator<string[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await execute<{ id: string }>(
      tx,
      `SELECT DISTINCT user_id AS id FROM group_members_all WHERE group_id = ANY($1::uuid[]) AND user_id > $2
       ORDER BY user_id LIMIT ${BATCH}`,
      [groups, after],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ id }) => id);
    after = last.id;
  }
}

/** Makes these people members of all these groups. */
export const insertMembers = (
  tx: EntityManager,
  groups: readonly string[],
  users: readonly string[],
): Promise<unknown> =>
  execute(
    tx,
    `INSERT INTO group_members_all (user_id, group_id)
     SELECT user_id, group_id FROM unnest($2::uuid[]) AS user_id, unnest($1::uuid[]) AS group_id
     ON CONFLICT DO NOTHING`,
    [groups, users],
  );

/**
 * Removes those of these people from a group that are neither its direct members nor in a group that it contains
 * directly. Planned for its values: a generic plan expects few people.
 */
export const deleteUnjustified = (
  tx: EntityManager,
  group: string,
  users: readonly string[],
): Promise<unknown> =>
  execute(
    tx,
    `WITH held AS MATERIALIZED (
       SELECT user_id, group_id FROM group_members_all WHERE user_id = ANY($2::uuid[])
     ), kept AS MATERIALIZED (
       SELECT user_id FROM group_edges WHERE group_id = $1 AND user_id = ANY($2::uuid[])
       UNION ALL SELECT user_id FROM held WHERE group_id IN (
         SELECT member_group_id FROM group_edges WHERE group_id = $1 AND member_group_id IS NOT NULL)
     )
     DELETE FROM group_members_all AS member WHERE group_id = $1 AND user_id = ANY($2::uuid[])
       AND NOT EXISTS (SELECT FROM kept WHERE kept.user_id = member.user_id)`,
    [group, users],
    false,
  );

/** Ids of all people and service accounts in a group and in the groups that it contains. */
export async function membersOf(manager: EntityManager, group: string): Promise<string[]> {
  const { rows } = await execute<{ id: string }>(
    manager,
    'SELECT user_id AS id FROM group_members_all WHERE group_id = $1',
    [group],
  );
  return rows.map(({ id }) => id);
}
