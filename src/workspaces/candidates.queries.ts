import type { EntityManager } from 'typeorm';
import { execute, Parameters } from '../core/database/execute.js';
import type { Principal } from '../core/http/principal.js';
import { NameSearch } from '../core/lists/name-search.js';
import type { Holder } from '../grants/grant.js';
import { groupsIn, heldWorkspaces, usersIn } from '../grants/grants.queries.js';
import { allGroups, groupsOf, namedGroups } from '../groups/groups.queries.js';
import { activeUsers, namedUsers } from '../users/users.queries.js';
import { scopeOf } from './workspaces.queries.js';

/** Someone who can be granted access. */
export interface Candidate extends Holder {
  name: string;
  /** Null for groups and service accounts. */
  email: string | null;
}

interface CandidatesQuery {
  caller: Principal;
  now: Date;
  q: string;
  limit: number;
}

/**
 * Active people, service accounts and groups with this name or email address. Members find those that share a workspace with
 * them: holders of a grant there, and their own groups.
 */
export async function findCandidates(
  manager: EntityManager,
  { caller, now, q, limit }: CandidatesQuery,
): Promise<Candidate[]> {
  const parameters = new Parameters();
  const search = new NameSearch(q);
  const value = parameters.add(search.value);
  let [users, groups] = [activeUsers, allGroups];
  if (caller.role !== 'admin') {
    const scope = scopeOf(caller, now, parameters);
    const held = heldWorkspaces(scope);
    users = `(${usersIn(held, scope.now)}) INTERSECT ${activeUsers}`;
    groups = `${groupsIn(held, scope.now)} UNION ${groupsOf(scope.user)}`;
  }
  const { rows } = await execute<Candidate>(
    manager,
    `SELECT type, id, name, email FROM (
       SELECT 'user' AS type, id, name, email, name_key FROM (${namedUsers(users)}) AS person
       UNION ALL SELECT 'group', id, name, NULL, name_key FROM (${namedGroups(groups)}) AS named
     ) AS candidate
     WHERE ${search.matches('name_key', value)} OR ${search.matches('email', value)}
     ORDER BY name_key, id LIMIT ${parameters.add(limit)}`,
    parameters.values,
    false,
  );
  return rows;
}
