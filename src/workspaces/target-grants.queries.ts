// SQL, because it sorts and searches grants by the names of their holders.
import type { EntityManager } from 'typeorm';
import { execute, Parameters, queryRows } from '../core/database/execute.js';
import { type Keyset, keysetSql } from '../core/lists/pagination.js';
import { matchesPerson } from '../core/lists/person-search.js';
import { type Holder, type Target, targetIdOf } from '../access/grants/grant.js';
import type { Grant } from '../access/grants/grant.entity.js';
import { grantsOnTarget } from '../access/grants/grants.queries.js';
import { allNamedGroups } from '../access/groups/groups.queries.js';
import { allNamedUsers } from '../users/users.queries.js';

/** An active grant with the names of its holder and its grantor. */
export interface NamedGrant extends Pick<Grant, 'role' | 'source' | 'expiresAt' | 'grantedBy' | 'createdAt'> {
  /** Unique among the grants on one target. */
  id: string;
  holderType: Holder['type'];
  holderId: string;
  name: string;
  nameKey: string;
  /** Null for groups and service accounts. */
  email: string | null;
  grantorName: string | null;
}

interface NamedGrantsQuery {
  target: Target;
  now: Date;
  q?: string;
  keyset: Keyset;
}

const columns = `held.holder_id || ' ' || held.source AS id, holder_type AS "holderType", holder_id AS "holderId",
  held.role, held.source, held.expires_at AS "expiresAt", held.granted_by AS "grantedBy", held.created_at AS "createdAt",
  held.name, held.name_key AS "nameKey", held.email`;

const storedGrants = (
  { target, now }: Pick<NamedGrantsQuery, 'target' | 'now'>,
  parameters: Parameters,
): string => grantsOnTarget(target, { id: parameters.add(targetIdOf(target)), now: parameters.add(now) });

/**
 * SQL: these grants with their holders. Every name is found by its id, so that the work grows with the number of grants whatever
 * PostgreSQL assumes about it.
 */
const withHolders = (stored: string): string =>
  `WITH stored AS (${stored}),
    held AS (
      SELECT 'user' AS holder_type, user_id AS holder_id, holder.name, email, holder.name_key,
        role, source, expires_at, granted_by, created_at
      FROM stored JOIN (${allNamedUsers}) AS holder ON holder.id = user_id
      UNION ALL
      SELECT 'group', group_id, holder.name, NULL, holder.name_key, role, source, expires_at, granted_by, created_at
      FROM stored JOIN (${allNamedGroups}) AS holder ON holder.id = group_id
    )
    SELECT ${columns} FROM held`;

/** SQL: these few grants with the names of their grantors. */
const withGrantors = (grants: string): string =>
  `SELECT named.*, grantor.name AS "grantorName" FROM (${grants}) AS named
   LEFT JOIN (${allNamedUsers}) AS grantor ON grantor.id = "grantedBy"`;

/** One page of the active grants on a workspace or a report, of holders with this name or email address. */
export function listNamedGrants(
  manager: EntityManager,
  { q, keyset, ...query }: NamedGrantsQuery,
): Promise<NamedGrant[]> {
  const parameters = new Parameters();
  const grants = withHolders(storedGrants(query, parameters));
  const { follows, order, limit } = keysetSql(keyset, parameters);
  const columns = { name: '"nameKey"', email: 'email' };
  const isFound = q === undefined ? 'TRUE' : matchesPerson(q, columns, (value) => parameters.add(value));
  return queryRows<NamedGrant>(
    manager,
    `${withGrantors(`SELECT * FROM (${grants}) AS listed WHERE ${follows} AND ${isFound} ORDER BY ${order} LIMIT ${limit}`)}
     ORDER BY ${order}`,
    parameters.values,
    q === undefined,
  );
}

/** Finds the manual grant of a holder on a target. */
export async function findNamedGrant(
  manager: EntityManager,
  query: Pick<NamedGrantsQuery, 'target' | 'now'>,
  { type, id }: Holder,
): Promise<NamedGrant | null> {
  const parameters = new Parameters();
  const stored = `${storedGrants(query, parameters)} AND ${type}_id = ${parameters.add(id)} AND source = 'manual'`;
  const { rows } = await execute<NamedGrant>(manager, withGrantors(withHolders(stored)), parameters.values);
  return rows[0] ?? null;
}
