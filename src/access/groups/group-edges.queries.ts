// SQL, because edges are written as sets that return what changed, and read level by level.
import { type EntityManager, IsNull, Not } from 'typeorm';
import { execute, queryRows } from '../../core/database/execute.js';
import { lockName } from '../../core/database/locks.js';
import { GroupEdge, type GroupSource } from './group.entity.js';
import { timedLock } from './group-telemetry.js';
import type { NamedGroup } from './groups.queries.js';

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
 * Serializes changes of groups in groups, and the deletion of groups. Take it before locks of users and of the rows of groups,
 * except the one of `lockScimGroup`.
 */
export const lockNesting = (tx: EntityManager): Promise<unknown> =>
  timedLock(() => lockName(tx, 'group nesting'));

/** Returns the edges that did not exist from this source. Ignores groups that do not exist, and excludes their deletion. */
export function insertPersonEdges(
  tx: EntityManager,
  { groups, users, source }: PersonEdges,
  now: Date,
): Promise<PersonEdge[]> {
  return queryRows<PersonEdge>(
    tx,
    `WITH existing AS MATERIALIZED (
       SELECT id FROM groups WHERE id = ANY($1::uuid[]) ORDER BY id FOR KEY SHARE
     )
     INSERT INTO group_edges (group_id, user_id, source, created_at)
     SELECT existing.id, user_id, $3, $4 FROM existing, unnest($2::uuid[]) AS user_id ORDER BY 1, 2
     ON CONFLICT DO NOTHING RETURNING group_id AS "group", user_id AS "user"`,
    [groups, users, source, now],
  );
}

/** Returns the edges that existed from this source. */
export function deletePersonEdges(
  tx: EntityManager,
  { groups, users, source }: PersonEdges,
): Promise<PersonEdge[]> {
  return queryRows<PersonEdge>(
    tx,
    `DELETE FROM group_edges WHERE group_id = ANY($1::uuid[]) AND user_id = ANY($2::uuid[]) AND source = $3
     RETURNING group_id AS "group", user_id AS "user"`,
    [groups, users, source],
  );
}

/** Returns those of these groups that this group did not contain from this source. */
export async function insertGroupEdges(
  tx: EntityManager,
  group: string,
  members: readonly string[],
  { source, now }: { source: GroupSource; now: Date },
): Promise<string[]> {
  const { rows } = await execute<{ id: string }>(
    tx,
    `INSERT INTO group_edges (group_id, member_group_id, source, created_at)
     SELECT $1, member, $4, $3 FROM unnest($2::uuid[]) AS member
     ON CONFLICT DO NOTHING RETURNING member_group_id AS id`,
    [group, members, now, source],
  );
  return rows.map(({ id }) => id);
}

/** Returns those of these groups that this group contained directly from this source. */
export async function deleteGroupEdges(
  tx: EntityManager,
  group: string,
  members: readonly string[],
  source: GroupSource,
): Promise<string[]> {
  const { rows } = await execute<{ id: string }>(
    tx,
    `DELETE FROM group_edges WHERE group_id = $1 AND member_group_id = ANY($2::uuid[]) AND source = $3
     RETURNING member_group_id AS id`,
    [group, members, source],
  );
  return rows.map(({ id }) => id);
}

/** Deletes the edges between a group and other groups, in both directions. */
export const deleteGroupEdgesOf = (tx: EntityManager, group: string): Promise<unknown> =>
  tx.delete(GroupEdge, [{ memberGroup: group }, { group, memberGroup: Not(IsNull()) }]);

/** Deletes all memberships of a user whose row the caller has locked. */
export const deleteEdgesOfUser = (tx: EntityManager, user: string): Promise<unknown> =>
  tx.delete(GroupEdge, { user });

/** Ids of the groups that directly contain this user, from this source. */
export async function findGroupsOf(tx: EntityManager, user: string, source: GroupSource): Promise<string[]> {
  return (await tx.findBy(GroupEdge, { user, source })).map(({ group }) => group);
}

/** Groups that are reached from some groups, these included. */
interface Walk {
  /** Each group comes after all groups on the way to it. */
  groups: string[];
  /** Groups on the longest way. */
  levels: number;
}

/**
 * Level by level: for a recursive statement PostgreSQL expects millions of rows and compiles it, which takes longer. Ends
 * on a cycle, which only SQL outside of the service can insert: no other way has more levels than groups.
 */
async function walk(tx: EntityManager, start: readonly string[], sql: string): Promise<Walk> {
  const groups = new Set<string>();
  let levels = 0;
  for (let level = start; level.length > 0 && levels <= groups.size; levels += 1) {
    for (const id of level) {
      groups.delete(id);
      groups.add(id);
    }
    const { rows } = await execute<{ id: string }>(tx, sql, [level]);
    level = rows.map(({ id }) => id);
  }
  return { groups: [...groups], levels };
}

/** To the groups that contain these groups. */
export const walkUp = (tx: EntityManager, groups: readonly string[]): Promise<Walk> =>
  walk(tx, groups, 'SELECT DISTINCT group_id AS id FROM group_edges WHERE member_group_id = ANY($1::uuid[])');

/** To the groups in these groups. */
export const walkDown = (tx: EntityManager, groups: readonly string[]): Promise<Walk> =>
  walk(
    tx,
    groups,
    `SELECT DISTINCT member_group_id AS id FROM group_edges
     WHERE group_id = ANY($1::uuid[]) AND member_group_id IS NOT NULL`,
  );

/** An edge from a group to a group that it contains. */
export interface NamedEdge extends NamedGroup {
  parent: string;
}

/** The edges below these groups, ordered by the names of the contained groups. */
export function findEdgesBelow(manager: EntityManager, groups: readonly string[]): Promise<NamedEdge[]> {
  return queryRows<NamedEdge>(
    manager,
    `SELECT DISTINCT edge.group_id AS parent, groups.id, groups.name, groups.name_key
     FROM group_edges edge JOIN groups ON groups.id = edge.member_group_id
     WHERE edge.group_id IN (SELECT inner_id FROM group_closure WHERE outer_id = ANY($1::uuid[]))
       AND edge.member_group_id IS NOT NULL
     ORDER BY groups.name_key, groups.id`,
    [groups],
  );
}

/** The direct memberships of these people. `OFFSET 0` forces a lookup by index for each of them. */
export function findDirectGroups(
  manager: EntityManager,
  users: readonly string[],
): Promise<{ user: string; group: string }[]> {
  return queryRows<{ user: string; group: string }>(
    manager,
    `SELECT u.id AS "user", edge.group_id AS "group" FROM unnest($1::uuid[]) AS u (id),
       LATERAL (SELECT group_id FROM group_edges WHERE user_id = u.id OFFSET 0) AS edge`,
    [users],
  );
}

/** Memberships of one kind in one group. */
export interface Memberships {
  group: string;
  type: 'user' | 'group';
  source: GroupSource;
  members: string[];
}

/** Who holds a grant or a membership. */
export interface Holder {
  type: 'user' | 'group';
  id: string;
}

/** The direct memberships of a person or a group in groups, and the direct members of a group. */
export function findMembershipsOf(tx: EntityManager, { type, id }: Holder): Promise<Memberships[]> {
  return queryRows<Memberships>(
    tx,
    `SELECT group_id AS "group", CASE WHEN user_id IS NULL THEN 'group' ELSE 'user' END AS type, source,
       array_agg(coalesce(user_id, member_group_id)::text) AS members
     FROM group_edges WHERE ${type === 'user' ? 'user_id = $1' : 'group_id = $1 OR member_group_id = $1'}
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    [id],
  );
}
