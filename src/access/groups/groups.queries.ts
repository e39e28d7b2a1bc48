// SQL, because people are counted through the closure, for one page of a list.
import { Any, type EntityManager } from 'typeorm';
import { execute, Parameters, queryRows } from '../../core/database/execute.js';
import { eraseRows, type PersonalData, rowsById } from '../../core/database/personal-data.js';
import { rowEstimate } from '../../core/database/row-estimate.js';
import { type Keyset, keysetSql } from '../../core/lists/pagination.js';
import { matchesName } from '../../core/lists/name-search.js';
import { matchesPerson } from '../../core/lists/person-search.js';
import { canonicalName, toUuid } from '../../core/validation/text.js';
import { namedUsers } from '../../users/users.queries.js';
import { Group, GroupEdge, type GroupSource } from './group.entity.js';

/** SQL subquery: ids of the groups that contain this user, directly or through other groups. */
export const groupsOf = (user: string): string =>
  `SELECT DISTINCT group_id FROM group_members_all WHERE user_id = ${user}`;

/** SQL query: every user with every group that contains the user, once for each way into the group. */
export const allMemberships = 'SELECT user_id, group_id FROM group_members_all';

/**
 * SQL condition: whether one of these groups contains the user. The groups in them are read once. OFFSET prevents PostgreSQL
 * from reading all their people.
 */
export const isInGroups = (user: string, groups: string): string =>
  `EXISTS (SELECT FROM group_edges WHERE user_id = ${user} AND group_id = ANY(ARRAY(
     SELECT inner_id FROM group_closure WHERE outer_id IN (${groups}))) OFFSET 0)`;

/** SQL subquery: ids of all groups. */
export const allGroups = 'SELECT id FROM groups';

/** SQL query: all groups, for lists of names. */
export const allNamedGroups = 'SELECT id, name, name_key FROM groups';

/** SQL query: the groups that the subquery `ids` selects, for lists of names. */
export const namedGroups = (ids: string): string => `${allNamedGroups} WHERE id IN (${ids})`;

export type NamedGroup = Pick<Group, 'id' | 'name'>;
type FoundGroup = Pick<Group, 'id' | 'name' | 'source'>;

/** Returns those of the given groups that exist. */
export const findGroups = (manager: EntityManager, ids: readonly string[]): Promise<FoundGroup[]> =>
  manager.find(Group, {
    where: { id: Any([...ids]) },
    select: { id: true, name: true, source: true },
    order: { nameKey: 'ASC', id: 'ASC' },
  });

/** The same, and excludes their deletion until the transaction ends. */
export const lockGroups = (tx: EntityManager, ids: readonly string[]): Promise<FoundGroup[]> =>
  tx.find(Group, {
    where: { id: Any([...ids]) },
    select: { id: true, name: true, source: true },
    order: { id: 'ASC' },
    lock: { mode: 'for_key_share' },
  });

/** SQL expression: the form in which the names of groups are unique, of a column or of a name in NFC. */
export const uniqueName = (name: string): string => `(lower(${name} COLLATE "und-x-icu") COLLATE "default")`;

/** Finds groups by id or, ignoring case, by name. */
export function findByReference(
  manager: EntityManager,
  references: readonly string[],
): Promise<{ reference: string; id: string }[]> {
  return queryRows<{ reference: string; id: string }>(
    manager,
    `WITH given (reference, key) AS MATERIALIZED (SELECT * FROM unnest($1::text[], $2::uuid[]))
     SELECT reference, id FROM given JOIN groups ON ${uniqueName('normalize(reference, NFC)')} = ${uniqueName('name')}
     UNION SELECT reference, id FROM given JOIN groups ON id = key`,
    [references, references.map(toUuid)],
  );
}

/** A group as the API shows it. */
export type CountedGroup = Omit<Group, 'externalId' | 'updatedAt'> & {
  /** People and service accounts, directly and through other groups. */
  memberCount: number;
};

const columns = 'id, name, name_key AS "nameKey", description, source, created_at AS "createdAt"';
/**
 * SQL query: `group_id` and `members`, how many people are in each of these groups, directly and through other groups. Without
 * groups that have none. One pass for all groups.
 */
export const memberCounts = (groups: string): string =>
  `SELECT outer_id AS group_id, count(DISTINCT user_id)::int AS members
   FROM group_closure JOIN group_edges ON group_edges.group_id = inner_id
   WHERE outer_id = ANY(ARRAY(${groups})) AND user_id IS NOT NULL GROUP BY outer_id`;

/** SQL query: the groups of the CTE `page` with their numbers of people. */
const countedPage = `SELECT ${columns}, coalesce(members, 0) AS "memberCount"
  FROM page LEFT JOIN (${memberCounts('SELECT id FROM page')}) AS counted ON counted.group_id = page.id`;

interface ListQuery {
  q?: string;
  keyset: Keyset;
}

/** One page of all groups. Members are counted for this page only. */
export function listGroups(manager: EntityManager, { q, keyset }: ListQuery): Promise<CountedGroup[]> {
  const parameters = new Parameters();
  const { follows, order, limit } = keysetSql(keyset, parameters);
  const isFound = matchesName(q, 'name_key', parameters);
  return queryRows<CountedGroup>(
    manager,
    `WITH page AS MATERIALIZED (
       SELECT * FROM groups WHERE ${follows} AND ${isFound} ORDER BY ${order} LIMIT ${limit}
     ) ${countedPage} ORDER BY ${order}`,
    parameters.values,
    q === undefined,
  );
}

/** One page of the groups that contain the user. */
export function listGroupsOf(
  manager: EntityManager,
  { user, q, keyset }: ListQuery & { user: string },
): Promise<Pick<Group, 'id' | 'name' | 'nameKey' | 'source'>[]> {
  const parameters = new Parameters();
  const isMember = `id IN (${groupsOf(parameters.add(user))})`;
  const { follows, order, limit } = keysetSql(keyset, parameters);
  const isFound = matchesName(q, 'name_key', parameters);
  return queryRows<Pick<Group, 'id' | 'name' | 'nameKey' | 'source'>>(
    manager,
    `SELECT id, name, name_key AS "nameKey", source FROM groups
     WHERE ${isMember} AND ${follows} AND ${isFound} ORDER BY ${order} LIMIT ${limit}`,
    parameters.values,
    q === undefined,
  );
}

async function findCounted(
  manager: EntityManager,
  where: string,
  value: string,
): Promise<CountedGroup | undefined> {
  const text = `WITH page AS MATERIALIZED (SELECT * FROM groups WHERE ${where}) ${countedPage}`;
  return (await execute<CountedGroup>(manager, text, [value])).rows[0];
}

export const findGroup = (manager: EntityManager, id: string): Promise<CountedGroup | undefined> =>
  findCounted(manager, 'id = $1', id);

export const findGroupByName = (manager: EntityManager, name: string): Promise<CountedGroup | undefined> =>
  findCounted(manager, `${uniqueName('name')} = ${uniqueName('$1::text')}`, canonicalName(name));

export interface GroupMember {
  type: 'user' | 'group';
  id: string;
  name: string;
  nameKey: string;
  /** Null for groups and service accounts. */
  email: string | null;
}

interface MembersQuery extends ListQuery {
  group: string;
  isEffective: boolean;
}

/** One page of the direct members of a group, or of all people in it and in the groups that it contains. */
export function listMembers(
  manager: EntityManager,
  { group, isEffective, q, keyset }: MembersQuery,
): Promise<GroupMember[]> {
  const parameters = new Parameters();
  const id = parameters.add(group);
  const { follows, order, limit } = keysetSql(keyset, parameters);
  const columns = { name: 'name_key', email: 'email' };
  const isFound = q === undefined ? 'TRUE' : matchesPerson(q, columns, (value) => parameters.add(value));
  const people = (table: string): string =>
    `SELECT 'user' AS type, * FROM (${namedUsers(`SELECT user_id FROM ${table} WHERE group_id = ${id}`)}) AS person`;
  const groups = `SELECT 'group', id, name, NULL, name_key FROM groups
    WHERE id IN (SELECT member_group_id FROM group_edges WHERE group_id = ${id})`;
  const members = isEffective ? people('group_members_all') : `${people('group_edges')} UNION ALL ${groups}`;
  return queryRows<GroupMember>(
    manager,
    `SELECT type, id, name, email, name_key AS "nameKey" FROM (${members}) AS member
     WHERE ${follows} AND ${isFound} ORDER BY ${order} LIMIT ${limit}`,
    parameters.values,
    q === undefined,
  );
}

export interface GroupCounts {
  groups: { source: GroupSource; count: number }[];
  /** Direct memberships of users; estimated if there are many. */
  memberships: number;
}

export async function countGroups(manager: EntityManager): Promise<GroupCounts> {
  const groups = await manager
    .createQueryBuilder(Group, 'own')
    .select('own.source', 'source')
    .addSelect('count(*)::int', 'count')
    .groupBy('own.source')
    .getRawMany<GroupCounts['groups'][number]>();
  const estimate = `SELECT ${rowEstimate('group_edges', 'user_id')} AS memberships`;
  const { rows } = await execute<{ memberships: number }>(manager, estimate, []);
  return { groups, memberships: rows[0]?.memberships ?? 0 };
}

export const personalData: PersonalData[] = [
  {
    table: 'group_edges',
    columns: ['user_id'],
    holds: 'who is a direct member of a group',
    export: {
      section: 'group_memberships',
      rows: rowsById(
        `SELECT e.group_id, g.name AS group_name, e.source, e.created_at
         FROM group_edges e JOIN groups g ON g.id = e.group_id WHERE e.user_id = $1`,
      ),
    },
    erasure: { does: 'delete', run: eraseRows(GroupEdge, 'user') },
  },
];
