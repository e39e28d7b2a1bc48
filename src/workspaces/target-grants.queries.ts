// SQL, because it sorts and searches grants by the names of their holders.
import type { EntityManager } from 'typeorm';
import { execute, Parameters } from '../core/database/execute.js';
import { keysetSql } from '../core/lists/keyset.js';
import { matchesPerson } from '../core/lists/person-search.js';
import type { Keyset } from '../core/lists/pagination.js';
import { type Holder, type Target, targetIdOf } from '../access/grants/grant.js';
import type { Grant } from '../access/grants/grant.entity.js';
import { grantsOnTarget } from '../access/grants/grants.queries.js';
import { namedGroups } from '../access/groups/groups.queries.js';
import { namedUsers } from '../users/users.queries.js';

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
  holder.name, holder.name_key AS "nameKey", holder.email, grantor.name AS "grantorName"`;

/** SQL: the active grants on a target, `held`, with their holders and grantors. */
function namedGrants({ target, now }: Pick<NamedGrantsQuery, 'target' | 'now'>, parameters: Parameters) {
  const held = grantsOnTarget(target, { id: parameters.add(targetIdOf(target)), now: parameters.add(now) });
  return `WITH held AS (SELECT *, coalesce(user_id, group_id) AS holder_id FROM (${held}) AS stored),
    holder AS (
      SELECT 'user' AS holder_type, id, name, email, name_key
      FROM (${namedUsers('SELECT user_id FROM held')}) AS person
      UNION ALL
      SELECT 'group', id, name, NULL, name_key FROM (${namedGroups('SELECT group_id FROM held')}) AS named
    )
    SELECT ${columns} FROM held JOIN holder ON holder.id = holder_id
      LEFT JOIN (${namedUsers('SELECT granted_by FROM held')}) AS grantor ON grantor.id = granted_by`;
}

/** One page of the active grants on a workspace or a report, of holders with this name or email address. */
export async function listNamedGrants(
  manager: EntityManager,
  { q, keyset, ...query }: NamedGrantsQuery,
): Promise<NamedGrant[]> {
  const parameters = new Parameters();
  const grants = namedGrants(query, parameters);
  const { follows, order, limit } = keysetSql(keyset, parameters);
  const columns = { name: '"nameKey"', email: 'email' };
  const isFound = q === undefined ? 'TRUE' : matchesPerson(q, columns, (value) => parameters.add(value));
  const { rows } = await execute<NamedGrant>(
    manager,
    `SELECT * FROM (${grants}) AS named WHERE ${follows} AND ${isFound} ORDER BY ${order} LIMIT ${limit}`,
    parameters.values,
    q === undefined,
  );
  return rows;
}

/** Finds the manual grant of a holder on a target. */
export async function findNamedGrant(
  manager: EntityManager,
  query: Pick<NamedGrantsQuery, 'target' | 'now'>,
  { id }: Holder,
): Promise<NamedGrant | null> {
  const parameters = new Parameters();
  const text = `SELECT * FROM (${namedGrants(query, parameters)}) AS named
    WHERE "holderId" = ${parameters.add(id)} AND source = 'manual'`;
  const { rows } = await execute<NamedGrant>(manager, text, parameters.values);
  return rows[0] ?? null;
}
