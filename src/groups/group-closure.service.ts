import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../core/clock.js';
import { CacheInvalidationService } from '../core/database/cache-invalidation.service.js';
import { lockUsers } from '../users/users.queries.js';
import { Group, type GroupSource } from './group.entity.js';
import { deleteUnjustified, insertMembers, peopleInBatches } from './group-closure.queries.js';
import {
  deleteEdgesOfUser,
  deleteGroupEdge,
  deleteGroupEdgesOf,
  deletePeopleOf,
  deletePersonEdges,
  insertGroupEdges,
  insertPersonEdges,
  type PersonEdge,
  type PersonEdges,
  walkDown,
  walkUp,
} from './group-edges.queries.js';
import { shortestPaths } from './group-paths.js';
import { GroupCycle, GroupTooDeep } from './groups.errors.js';
import { findEdgesBelow, type NamedGroup } from './groups.queries.js';

/** The longest chain of groups that contain each other. */
const MAX_LEVELS = 10;

/**
 * Writes edges and, in the same transaction, the rows of `group_members_all` that follow from them. The caller holds
 * `lockNesting` and the rows of the people for changes of people, `lockAllEdges` for changes of groups.
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
    const { groups, users } = partsOf(added);
    await insertMembers(tx, (await walkUp(tx, groups)).groups, users);
    this.publish(tx, users);
    return added;
  }

  /** Returns the edges that existed from this source. */
  async removePeople(tx: EntityManager, edges: PersonEdges): Promise<PersonEdge[]> {
    const removed = await deletePersonEdges(tx, edges);
    const { groups, users } = partsOf(removed);
    for (const group of (await walkUp(tx, groups)).groups) await deleteUnjustified(tx, group, users);
    this.publish(tx, users);
    return removed;
  }

  /** Removes a user from all groups. Requires a lock of the user's row that excludes `KEY SHARE`, and no other lock. */
  async removeUser(tx: EntityManager, userId: string): Promise<void> {
    await deleteEdgesOfUser(tx, userId);
    this.changes.publish(tx, 'rights', userId);
  }

  /** Returns the ids of the members for which there was no edge from this source. Throws GroupCycle or GroupTooDeep. */
  async addGroups(
    tx: EntityManager,
    group: NamedGroup,
    members: readonly NamedGroup[],
    source: GroupSource,
  ): Promise<string[]> {
    const ids = members.map(({ id }) => id);
    const outer = await walkUp(tx, [group.id]);
    const inner = await walkDown(tx, ids);
    if (inner.groups.includes(group.id)) throw new GroupCycle(await findCycle(tx, group, members));
    const levels = outer.levels + inner.levels;
    if (levels > MAX_LEVELS) throw new GroupTooDeep(levels, MAX_LEVELS);
    const added = await insertGroupEdges(tx, group.id, ids, { source, now: this.clock.now() });
    for await (const people of peopleInBatches(tx, added)) {
      // Excludes an erasure in between, which would not delete a row that is written afterwards.
      const users = await lockUsers(tx, people, 'KEY SHARE');
      for (const id of outer.groups) await insertMembers(tx, [id], users);
    }
    if (added.length > 0) this.changes.publish(tx, 'rights');
    return added;
  }

  /** Returns whether the edge from this source existed. */
  async removeGroup(tx: EntityManager, id: string, memberId: string, source: GroupSource): Promise<boolean> {
    if (!(await deleteGroupEdge(tx, id, memberId, source))) return false;
    const { groups } = await walkUp(tx, [id]);
    for await (const users of peopleInBatches(tx, [memberId])) {
      for (const group of groups) await deleteUnjustified(tx, group, users);
    }
    this.changes.publish(tx, 'rights');
    return true;
  }

  /** Deletes a group. Its people stay in an outer group only through another path. */
  async deleteGroup(tx: EntityManager, id: string): Promise<void> {
    const { groups } = await walkUp(tx, [id]);
    await deleteGroupEdgesOf(tx, id);
    for await (const users of peopleInBatches(tx, [id])) {
      await deletePeopleOf(tx, id, users);
      for (const group of groups) await deleteUnjustified(tx, group, users);
    }
    await tx.delete(Group, { id });
    this.changes.publish(tx, 'rights');
  }

  /** One notification for several people: it invalidates all cached rights. */
  private publish(tx: EntityManager, users: readonly string[]): void {
    if (users.length > 0) this.changes.publish(tx, 'rights', users.length === 1 ? users[0] : undefined);
  }
}

const partsOf = (edges: readonly PersonEdge[]): { groups: string[]; users: string[] } => ({
  groups: [...new Set(edges.map(({ group }) => group))],
  users: [...new Set(edges.map(({ user }) => user))],
});

/** The names of the groups on a cycle that these members would close. */
async function findCycle(
  tx: EntityManager,
  group: NamedGroup,
  members: readonly NamedGroup[],
): Promise<string[]> {
  for (const { id, name } of members) {
    const path = shortestPaths(id, await findEdgesBelow(tx, id)).get(group.id);
    if (path !== undefined) return [group.name, name, ...path];
  }
  return [group.name];
}
