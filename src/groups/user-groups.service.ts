import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Principal } from '../core/http/principal.js';
import { lockUsers } from '../users/users.queries.js';
import { GroupClosureService } from './group-closure.service.js';
import { findGroupsOf, lockNesting, type PersonEdge } from './group-edges.queries.js';
import type { GroupSource } from './group.entity.js';
import { findGroups } from './groups.queries.js';

type Actor = Pick<Principal, 'id'>;

/** Groups of one person, for modules that derive them from another source. */
@Injectable()
export class UserGroupsService {
  constructor(
    private readonly closure: GroupClosureService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Makes these groups exactly those that contain the person directly from this source. Groups that do not exist are
   * ignored. Returns whether a membership changed. Takes no lock if nothing changes; a caller that also locks the user's
   * row does so afterwards, as `lockNesting` comes first.
   */
  async setUserGroups(
    tx: EntityManager,
    userId: string,
    groupIds: readonly string[],
    source: GroupSource,
  ): Promise<boolean> {
    const before = await changesOf(tx, userId, groupIds, source);
    if (before.missing.length + before.surplus.length === 0) return false;
    await lockNesting(tx);
    const users = await lockUsers(tx, [userId], 'NO KEY UPDATE');
    const { missing, surplus } = await changesOf(tx, userId, groupIds, source);
    const removed = await this.closure.removePeople(tx, { groups: surplus, users, source });
    const added = await this.closure.addPeople(tx, { groups: missing, users, source });
    await this.record(tx, 'group_member_removed', removed, source);
    await this.record(tx, 'group_member_added', added, source);
    return removed.length + added.length > 0;
  }

  /**
   * Adds the person to these groups as a member added by an admin. Ignores groups that do not exist or that the identity
   * provider or SCIM manages. A caller that also locks the user's row takes `lockNesting` before. Returns how many were new.
   */
  async add(tx: EntityManager, by: Actor, userId: string, groupIds: readonly string[]): Promise<number> {
    if (groupIds.length === 0) return 0;
    await lockNesting(tx);
    const users = await lockUsers(tx, [userId], 'NO KEY UPDATE');
    const found = await findGroups(tx, groupIds);
    const groups = found.filter(({ source }) => source === 'manual').map(({ id }) => id);
    const added = await this.closure.addPeople(tx, { groups, users, source: 'manual' });
    await this.record(tx, 'group_member_added', added, 'manual', by.id);
    return added.length;
  }

  /** For a user who is erased or deleted: the caller has locked the user's row for that. */
  async removeFromAll(tx: EntityManager, userId: string): Promise<void> {
    await this.closure.removeUser(tx, userId);
  }

  private async record(
    tx: EntityManager,
    action: 'group_member_added' | 'group_member_removed',
    edges: readonly PersonEdge[],
    source: GroupSource,
    actorId: string | null = null,
  ): Promise<void> {
    for (const { group, user } of edges) {
      const target = { type: 'group', id: group } as const;
      const details = { source, member_type: 'user', member_id: user };
      await this.audit.record(tx, { action, actorId, target, details });
    }
  }
}

async function changesOf(
  tx: EntityManager,
  userId: string,
  groupIds: readonly string[],
  source: GroupSource,
): Promise<{ missing: string[]; surplus: string[] }> {
  const wanted = (await findGroups(tx, groupIds)).map(({ id }) => id);
  const current = await findGroupsOf(tx, userId, source);
  const lacks = (held: readonly string[], ids: readonly string[]) => {
    const known = new Set(held);
    return ids.filter((id) => !known.has(id));
  };
  return { missing: lacks(current, wanted), surplus: lacks(wanted, current) };
}
