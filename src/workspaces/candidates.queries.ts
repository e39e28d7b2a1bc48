// SQL, because it merges pages of people and groups, each from an index.
import type { EntityManager } from 'typeorm';
import { Parameters, queryRows } from '../core/database/execute.js';
import { matchesPerson } from '../core/lists/person-search.js';
import type { Holder } from '../access/grants/grant.js';
import { presentHeldBy, holdersIn } from '../access/grants/grants.queries.js';
import { allGroups, groupsOf, memberCounts, namedGroups } from '../access/groups/groups.queries.js';
import { activeUsers, namedUsers } from '../users/users.queries.js';
import { type CallerSearch, scopeOf } from './workspaces.queries.js';

/** Someone who can be granted access. */
export interface Candidate extends Holder {
  name: string;
  /** Null for groups and service accounts. */
  email: string | null;
  /** People in the group, directly and through other groups; null for others. */
  memberCount: number | null;
}

/**
 * Active people, service accounts and groups with this name or email address. Members find those that share a workspace with
 * them: other holders of a grant there, and their own groups.
 */
export function findCandidates(
  manager: EntityManager,
  { caller, now, q, limit }: CallerSearch,
): Promise<Candidate[]> {
  const parameters = new Parameters();
  let [users, groups] = [activeUsers, allGroups];
  if (caller.role !== 'admin') {
    const scope = scopeOf(caller, now, parameters);
    const held = presentHeldBy(scope);
    // An array, because PostgreSQL would otherwise read all users.
    users = `${activeUsers} AND id = ANY(ARRAY(${holdersIn('user_id', held, scope.now)})) AND id <> ${scope.user}`;
    groups = `${holdersIn('group_id', held, scope.now)} UNION ${groupsOf(scope.user)}`;
  }
  const order = `ORDER BY name_key, id LIMIT ${parameters.add(limit)}`;
  const found = matchesPerson(q, { name: 'name_key', email: 'email' }, (value) => parameters.add(value));
  // Each has its own limit, so that users are read by name from an index.
  const page = (type: Holder['type'], named: string): string =>
    `(SELECT '${type}' AS type, * FROM (${named}) AS named WHERE ${found} ${order})`;
  const namedAs = `SELECT id, name, NULL AS email, name_key FROM (${namedGroups(groups)}) AS named`;
  return queryRows<Candidate>(
    manager,
    `WITH candidate AS MATERIALIZED (
       SELECT * FROM (${page('user', namedUsers(users))} UNION ALL ${page('group', namedAs)}) AS found ${order})
     SELECT type, id, name, email, CASE WHEN type = 'group' THEN coalesce(members, 0) END AS "memberCount" FROM candidate
     LEFT JOIN (${memberCounts(`SELECT id FROM candidate WHERE type = 'group'`)}) AS counted ON counted.group_id = id
     ORDER BY name_key, id`,
    parameters.values,
    false,
  );
}
