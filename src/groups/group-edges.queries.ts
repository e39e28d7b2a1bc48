import type { EntityManager } from 'typeorm';
import { execute } from '../core/database/execute.js';
import type { GroupSource } from './group.entity.js';

/** Bounds a statement over the people of a large group below the statement timeout. */
const BATCH = 5000;

/** An edge between a group and a person. */
export interface PersonEdge {
  group: string;
  user: string;
}

/** Every person with every group. */
export interface PersonEdges {
  groups: readonly string[];
  users: readonly string[];
  source: GroupSource;
}

/**
 * For changes of people. Together with the locks of their rows it serializes what determines their rows in
 * `group_members_all`. Take it before the locks of users.
 */
export const lockNesting = (tx: EntityManager): Promise<unknown> =>
  tx.query(`SELECT pg_advisory_xact_lock_shared(hashtext('group nesting'))`);

/** For changes of groups in groups. Excludes all other changes of edges. */
export const lockAllEdges = (tx: EntityManager): Promise<unknown> =>
  tx.query(`SELECT pg_advisory_xact_lock(hashtext('group nesting'))`);

/** Returns the edges that did not exist from this source. */
export async function insertPersonEdges(
  tx: EntityManager,
  { groups, users, source }: PersonEdges,
  now: Date,
): Promise<PersonEdge[]> {
  const { rows } = await execute<PersonEdge>(
    tx,
    `INSERT INTO group_edges (group_id, user_id, source, created_at)
     SELECT group_id, user_id, $3, $4 FROM unnest($1::uuid[]) AS group_id, unnest($2::uuid[]) AS user_id
     ON CONFLICT DO NOTHING RETURNING group_id AS "group", user_id AS "user"`,
    [groups, users, source, now],
  );
  return rows;
}

/** Returns the edges that existed from this source. */
export async function deletePersonEdges(
  tx: EntityManager,
  { groups, users, source }: PersonEdges,
): Promise<PersonEdge[]> {
  const { rows } = await execute<PersonEdge>(
    tx,
    `DELETE FROM group_edges WHERE group_id = ANY($1::uuid[]) AND user_id = ANY($2::uuid[]) AND source = $3
     RETURNING group_id AS "group", user_id AS "user"`,
    [groups, users, source],
  );
  return rows;
}

/** Deletes the edges of these people from one group, whatever their source. */
export const deletePeopleOf = (
  tx: EntityManager,
  group: string,
  users: readonly string[],
): Promise<unknown> =>
  execute(tx, 'DELETE FROM group_edges WHERE group_id = $1 AND user_id = ANY($2::uuid[])', [group, users]);

/** Whether the manual edge did not exist. */
export async function insertGroupEdge(
  tx: EntityManager,
  group: string,
  member: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await execute(
    tx,
    `INSERT INTO group_edges (group_id, member_group_id, source, created_at) VALUES ($1, $2, 'manual', $3)
     ON CONFLICT DO NOTHING`,
    [group, member, now],
  );
  return rowCount === 1;
}

/** Whether the manual edge existed. */
export async function deleteGroupEdge(tx: EntityManager, group: string, member: string): Promise<boolean> {
  const { rowCount } = await execute(
    tx,
    `DELETE FROM group_edges WHERE group_id = $1 AND member_group_id = $2 AND source = 'manual'`,
    [group, member],
  );
  return rowCount === 1;
}

/** Deletes the edges between a group and other groups, in both directions. */
export const deleteGroupEdgesOf = (tx: EntityManager, group: string): Promise<unknown> =>
  execute(
    tx,
    'DELETE FROM group_edges WHERE member_group_id = $1 OR group_id = $1 AND member_group_id IS NOT NULL',
    [group],
  );

/** Deletes all memberships of a user whose row the caller has locked. */
export async function deleteEdgesOfUser(tx: EntityManager, user: string): Promise<void> {
  await execute(tx, 'DELETE FROM group_edges WHERE user_id = $1', [user]);
  await execute(tx, 'DELETE FROM group_members_all WHERE user_id = $1', [user]);
}

/** Ids of the groups that directly contain this user, from this source. */
export async function findGroupsOf(tx: EntityManager, user: string, source: GroupSource): Promise<string[]> {
  const { rows } = await execute<{ id: string }>(
    tx,
    'SELECT group_id AS id FROM group_edges WHERE user_id = $1 AND source = $2',
    [user, source],
  );
  return rows.map(({ id }) => id);
}

/** The ids of these groups and of all groups that contain them. */
export async function findContaining(tx: EntityManager, groups: readonly string[]): Promise<string[]> {
  const { rows } = await execute<{ id: string }>(
    tx,
    `WITH RECURSIVE up (id) AS (
       SELECT unnest($1::uuid[])
       UNION SELECT edge.group_id FROM up JOIN group_edges edge ON edge.member_group_id = up.id
     ) SELECT id FROM up`,
    [groups],
  );
  return rows.map(({ id }) => id);
}

/** All people of a group, in order of their ids. */
export async function* peopleInBatches(tx: EntityManager, group: string): AsyncGenerator<string[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await execute<{ id: string }>(
      tx,
      `SELECT user_id AS id FROM group_members_all WHERE group_id = $1 AND user_id > $2
       ORDER BY user_id LIMIT ${BATCH}`,
      [group, after],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ id }) => id);
    after = last.id;
  }
}

/**
 * Derives the rows of these people in these groups from the edges again. Planned for its values: a generic plan expects few
 * people. NOT IN is hashed, whatever number of rows PostgreSQL expects.
 */
export const derivePeople = (
  tx: EntityManager,
  groups: readonly string[],
  users: readonly string[],
): Promise<unknown> =>
  execute(
    tx,
    `WITH RECURSIVE edges AS MATERIALIZED (
       SELECT user_id, group_id FROM group_edges WHERE user_id = ANY($2::uuid[])
     ), up (bottom, top) AS (
       SELECT DISTINCT group_id, group_id FROM edges
       UNION SELECT bottom, edge.group_id FROM up JOIN group_edges edge ON edge.member_group_id = up.top
     ), justified AS MATERIALIZED (
       SELECT DISTINCT user_id, top AS group_id FROM edges JOIN up ON bottom = group_id WHERE top = ANY($1::uuid[])
     ), removed AS (
       DELETE FROM group_members_all WHERE user_id = ANY($2::uuid[]) AND group_id = ANY($1::uuid[])
         AND (user_id, group_id) NOT IN (SELECT user_id, group_id FROM justified)
     )
     INSERT INTO group_members_all (user_id, group_id) SELECT user_id, group_id FROM justified
     ON CONFLICT DO NOTHING`,
    [groups, users],
    false,
  );

/** The number of levels of groups if one contained the other, and whether the member contains the group already. */
export async function describeNesting(
  tx: EntityManager,
  group: string,
  member: string,
): Promise<{ levels: number; isCycle: boolean }> {
  const { rows } = await execute<{ levels: number; isCycle: boolean }>(
    tx,
    `WITH RECURSIVE up (id, level) AS (
       SELECT $1::uuid, 1
       UNION SELECT edge.group_id, level + 1 FROM up JOIN group_edges edge ON edge.member_group_id = up.id
     ), down (id, level) AS (
       SELECT $2::uuid, 1
       UNION SELECT edge.member_group_id, level + 1 FROM down JOIN group_edges edge ON edge.group_id = down.id
       WHERE edge.member_group_id IS NOT NULL
     )
     SELECT (SELECT max(level) FROM up) + (SELECT max(level) FROM down) AS levels,
       EXISTS (SELECT FROM down WHERE id = $1) AS "isCycle"`,
    [group, member],
  );
  return rows[0] as { levels: number; isCycle: boolean };
}
