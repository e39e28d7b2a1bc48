import type { EntityManager } from 'typeorm';
import { findGroupChains } from '../groups/group-chains.queries.js';
import type { NamedGroup } from '../groups/groups.queries.js';
import type { Grant } from './grant.entity.js';

/** One way in which a user holds a grant. */
export interface GrantPath {
  grant: Grant;
  /** From the group that holds the grant to the one that contains the user directly; empty for the user's own grant. */
  via: NamedGroup[];
}

/** The shown paths are bounded; which grants a user holds does not depend on them. */
export const MAX_PATHS = 1000;

/** Returns the paths on which the user holds these grants, in their order and the shortest first. */
export async function findGrantPaths(
  manager: EntityManager,
  userId: string,
  grants: readonly Grant[],
): Promise<GrantPath[]> {
  const shown = grants.slice(0, MAX_PATHS);
  const groups = shown.flatMap(({ group }) => group ?? []);
  const chains = await findGroupChains(manager, userId, [...new Set(groups)]);
  const paths = shown.flatMap((grant) => {
    const ways = grant.group === null ? [[]] : (chains.get(grant.group) ?? []);
    return ways.map((via) => ({ grant, via }));
  });
  return paths.slice(0, MAX_PATHS);
}
