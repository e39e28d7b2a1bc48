import type { EntityManager } from 'typeorm';
import { execute, Parameters } from '../core/database/execute.js';
import { keysetSql } from '../core/lists/keyset.js';
import { matchesPerson } from '../core/lists/person-search.js';
import type { Keyset } from '../core/lists/pagination.js';
import type { Holder, StoredGrant, Target } from '../grants/grant.js';
import { grantsOn } from '../grants/stored-grants.queries.js';
import { namedGroups } from '../groups/groups.queries.js';
import { namedUsers } from '../users/users.queries.js';

/** An active grant with the names of its holder and its grantor. */
export interface NamedGrant extends Omit<StoredGrant, 'reportId' | 'workspaceId'> {
  /** Unique among the grants on one target. */
  id: string;
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

const columns = `held.id, "holderType", "holderId", role, source, "expiresAt", "grantedBy", "createdAt",
  holder.name, holder.name_key AS "nameKey", holder.email, grantor.name AS "grantorName"`;

/** SQL: the active grants on a target, `held`, with their holders and grantors. */
function namedGrants({ target, now }: Pick<NamedGrantsQuery, 'target' | 'now'>, parameters: Parameters) {
  const held = grantsOn(target, {
    id: parameters.add(target.reportId ?? target.workspaceId),
    now: parameters.add(now),
  });
  const holdersOf = (type: Holder['type']) => `SELECT "holderId" FROM held WHERE "holderType" = '${type}'`;
  return `WITH held AS (SELECT *, "holderId" || ' ' || source AS id FROM (${held}) AS stored),
    holder AS (
      SELECT id, name, email, name_key FROM (${namedUsers(holdersOf('user'))}) AS person
      UNION ALL SELECT id, name, NULL, name_key FROM (${namedGroups(holdersOf('group'))}) AS named
    )
    SELECT ${columns} FROM held JOIN holder ON holder.id = "holderId"
      LEFT JOIN (${namedUsers('SELECT "grantedBy" FROM held')}) AS grantor ON grantor.id = "grantedBy"`;
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
