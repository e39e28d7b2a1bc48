import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../core/clock.js';
import { CacheInvalidationService } from '../core/database/cache-invalidation.service.js';
import { lockUsers } from '../users/users.queries.js';
import { Group } from './group.entity.js';
import {
  deleteEdgesOfUser,
  deleteGroupEdge,
  deleteGroupEdgesOf,
  deletePeopleOf,
  deletePersonEdges,
  derivePeople,
  describeNesting,
  findContaining,
  insertGroupEdge,
  insertPersonEdges,
  peopleInBatches,
  type PersonEdge,
  type PersonEdges,
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
    return this.derive(tx, await insertPersonEdges(tx, edges, this.clock.now()));
  }

  /** Returns the edges that existed from this source. */
  async removePeople(tx: EntityManager, edges: PersonEdges): Promise<PersonEdge[]> {
    return this.derive(tx, await deletePersonEdges(tx, edges));
  }

  /** Removes a user from all groups. Requires a lock of the user's row that excludes `KEY SHARE`, and no other lock. */
  async removeUser(tx: EntityManager, userId: string): Promise<void> {
    await deleteEdgesOfUser(tx, userId);
    this.changes.publish(tx, 'rights', userId);
  }

  /** Returns whether the manual edge did not exist. Throws GroupCycle or GroupTooDeep. */
  async addGroup(tx: EntityManager, group: NamedGroup, member: NamedGroup): Promise<boolean> {
    await this.checkNesting(tx, group, member);
    if (!(await insertGroupEdge(tx, group.id, member.id, this.clock.now()))) return false;
    await this.deriveAll(tx, member.id, await findContaining(tx, [group.id]));
    return true;
  }

  /** Returns whether the manual edge existed. */
  async removeGroup(tx: EntityManager, id: string, memberId: string): Promise<boolean> {
    if (!(await deleteGroupEdge(tx, id, memberId))) return false;
    await this.deriveAll(tx, memberId, await findContaining(tx, [id]));
    return true;
  }

  /** Deletes a group. Its people stay in an outer group only through another path. */
  async deleteGroup(tx: EntityManager, id: string): Promise<void> {
    const affected = await findContaining(tx, [id]);
    await deleteGroupEdgesOf(tx, id);
    for await (const users of peopleInBatches(tx, id)) {
      await lockUsers(tx, users, 'KEY SHARE');
      await deletePeopleOf(tx, id, users);
      await derivePeople(tx, affected, users);
    }
    await tx.delete(Group, { id });
    this.changes.publish(tx, 'rights');
  }

  private async derive(tx: EntityManager, changed: PersonEdge[]): Promise<PersonEdge[]> {
    if (changed.length === 0) return changed;
    const groups = [...new Set(changed.map(({ group }) => group))];
    const users = [...new Set(changed.map(({ user }) => user))];
    await derivePeople(tx, await findContaining(tx, groups), users);
    this.changes.publish(tx, 'rights', users.length === 1 ? users[0] : undefined);
    return changed;
  }

  /** The lock excludes an erasure in between: it would delete the edges, but not a row that is written afterwards. */
  private async deriveAll(tx: EntityManager, memberId: string, affected: readonly string[]): Promise<void> {
    for await (const users of peopleInBatches(tx, memberId)) {
      await lockUsers(tx, users, 'KEY SHARE');
      await derivePeople(tx, affected, users);
    }
    this.changes.publish(tx, 'rights');
  }

  private async checkNesting(tx: EntityManager, group: NamedGroup, member: NamedGroup): Promise<void> {
    const { levels, isCycle } = await describeNesting(tx, group.id, member.id);
    if (isCycle) {
      const path = shortestPaths(member.id, await findEdgesBelow(tx, member.id)).get(group.id) ?? [];
      throw new GroupCycle([group.name, member.name, ...path]);
    }
    if (levels > MAX_LEVELS) throw new GroupTooDeep(levels, MAX_LEVELS);
  }
}
