import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../core/clock.js';
import { CacheInvalidationService } from '../../core/database/cache-invalidation.service.js';
import { Group, type GroupSource } from './group.entity.js';
import { deleteUnjustifiedPairs, insertPairs } from './group-closure.queries.js';
import {
  deleteGroupEdges,
  deleteGroupEdgesOf,
  deletePersonEdges,
  findEdgesBelow,
  insertGroupEdges,
  insertPersonEdges,
  type PersonEdge,
  type PersonEdges,
  walkDown,
  walkUp,
} from './group-edges.queries.js';
import { edgesByParent, shortestPaths } from './path-finder.js';
import { GroupCycle, GroupTooDeep } from './groups.errors.js';
import type { NamedGroup } from './groups.queries.js';

/** The longest chain of groups that contain each other. */
const MAX_LEVELS = 10;

/**
 * Writes edges and, in the same transaction, the rows of `group_closure` that follow from them: pairs of groups only, so
 * that the number of people does not matter. The caller has locked the rows of the people for changes of people, and holds
 * `lockNesting` for changes of groups.
 */
@Injectable()
export class GroupClosureService {
  constructor(
    private readonly clock: Clock,
    private readonly changes: CacheInvalidationService,
  ) {}

  /** Returns the edges that did not exist from this source. */
  async addPeople(tx: EntityManager, edges: PersonEdges): Promise<PersonEdge[]> {
    const added = await insertPersonEdges(tx, edges, this.clock.now());
    this.publish(tx, added);
    return added;
  }

  /** Returns the edges that existed from this source. */
  async removePeople(tx: EntityManager, edges: PersonEdges): Promise<PersonEdge[]> {
    const removed = await deletePersonEdges(tx, edges);
    this.publish(tx, removed);
    return removed;
  }

  /** Returns the ids of the members for which there was no edge from this source. Throws GroupCycle or GroupTooDeep. */
  async addGroups(
    tx: EntityManager,
    group: NamedGroup,
    members: readonly NamedGroup[],
    source: GroupSource,
  ): Promise<string[]> {
    if (members.length === 0) return [];
    const ids = members.map(({ id }) => id);
    const outer = await walkUp(tx, [group.id]);
    const inner = await walkDown(tx, ids);
    if (inner.groups.includes(group.id)) throw new GroupCycle(await findCycle(tx, group, members));
    const levels = outer.levels + inner.levels;
    if (levels > MAX_LEVELS) throw new GroupTooDeep(levels, MAX_LEVELS);
    const added = await insertGroupEdges(tx, group.id, ids, { source, now: this.clock.now() });
    if (added.length === 0) return [];
    await insertPairs(tx, outer.groups, inner.groups);
    this.changes.publish(tx, 'rights');
    return added;
  }

  /** Returns those of these groups for which there was an edge from this source. */
  async removeGroups(
    tx: EntityManager,
    id: string,
    members: readonly string[],
    source: GroupSource,
  ): Promise<string[]> {
    if (members.length === 0) return [];
    const removed = await deleteGroupEdges(tx, id, members, source);
    if (removed.length === 0) return [];
    await deleteUnjustifiedPairs(tx, (await walkUp(tx, [id])).groups, (await walkDown(tx, removed)).groups);
    this.changes.publish(tx, 'rights');
    return removed;
  }

  /** Deletes a group. Its people stay in an outer group only through another path. */
  async deleteGroup(tx: EntityManager, id: string): Promise<void> {
    const [outer, inner] = [await walkUp(tx, [id]), await walkDown(tx, [id])];
    await deleteGroupEdgesOf(tx, id);
    const others = outer.groups.filter((group) => group !== id);
    if (others.length > 0) await deleteUnjustifiedPairs(tx, others, inner.groups);
    await tx.delete(Group, { id });
    this.changes.publish(tx, 'rights');
  }

  /** One notification for several people: it invalidates all cached rights. */
  private publish(tx: EntityManager, edges: readonly PersonEdge[]): void {
    const users = new Set(edges.map(({ user }) => user));
    if (users.size > 0) this.changes.publish(tx, 'rights', users.size === 1 ? [...users][0] : undefined);
  }
}

/** The names of the groups on a cycle that these members would close. */
async function findCycle(
  tx: EntityManager,
  group: NamedGroup,
  members: readonly NamedGroup[],
): Promise<string[]> {
  const ids = members.map(({ id }) => id);
  const below = edgesByParent(await findEdgesBelow(tx, ids));
  for (const { id, name } of members) {
    const path = shortestPaths(id, below).get(group.id);
    if (path !== undefined) return [group.name, name, ...path];
  }
  return [group.name];
}
