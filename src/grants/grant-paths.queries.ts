import type { EntityManager } from 'typeorm';
import { findGroupChains } from '../groups/group-chains.queries.js';
import type { NamedGroup } from '../groups/groups.queries.js';
import type { StoredGrant, Target } from './grant.js';
import { findGrantsHeldBy } from './stored-grants.queries.js';

/** One way in which a user holds a grant. */
export interface GrantPath {
  grant: StoredGrant;
  /** From the group that holds the grant to the one that contains the user directly; empty for the user's own grant. */
  via: NamedGroup[];
}

/** Returns every path on which the user reaches the target, also through expired grants, which come first. */
export async function findGrantPaths(
  manager: EntityManager,
  userId: string,
  target: Target,
): Promise<GrantPath[]> {
  const chains = await findGroupChains(manager, userId);
  const grants = await findGrantsHeldBy(manager, { userId, groupIds: [...chains.keys()] }, target);
  return grants.flatMap((grant) => {
    const ways = grant.holderType === 'user' ? [[]] : (chains.get(grant.holderId) ?? []);
    return ways.map((via) => ({ grant, via }));
  });
}
