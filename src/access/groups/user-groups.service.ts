import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Principal } from '../../core/http/principal.js';
import { Cursors, type Reader } from '../../core/lists/cursors.js';
import { listPage, type Page } from '../../core/lists/pagination.js';
import { lockUsers } from '../../users/users.queries.js';
import { UsersService } from '../../users/users.service.js';
import { groupSortKeys, type ListGroupsQuery } from './dto/group.dto.js';
import { GroupClosureService } from './group-closure.service.js';
import { findGroupsOf, type PersonEdge } from './group-edges.queries.js';
import type { Group, GroupSource } from './group.entity.js';
import { findGroups, listGroupsOf } from './groups.queries.js';
import { PathFinder } from './path-finder.js';

/** `path` contains the names of the groups between this group and the user. */
export type GroupOfUser = Pick<Group, 'id' | 'name' | 'nameKey' | 'source'> & { path: string[] };

type Actor = Pick<Principal, 'id'>;

/** Groups of one person. */
@Injectable()
export class UserGroupsService {
  constructor(
    private readonly closure: GroupClosureService,
    private readonly audit: AuditService,
    private readonly users: UsersService,
    private readonly database: DatabaseService,
    private readonly cursors: Cursors,
  ) {}

  /** The groups that contain the user. Throws UserNotFound. */
  async list(reader: Reader, userId: string, { q, ...page }: ListGroupsQuery): Promise<Page<GroupOfUser>> {
    const { manager } = this.database;
    const { id: user } = await this.users.get(userId);
    const found = await listPage(
      { name: 'groups of user', read: (keyset) => listGroupsOf(manager, { user, q, keyset }) },
      { reader, ...page, q, keys: groupSortKeys, filters: { user } },
      this.cursors,
    );
    const paths = new PathFinder(manager);
    await paths.load(
      [user],
      found.items.map(({ id }) => id),
    );
    return {
      ...found,
      items: found.items.map((group) => ({ ...group, path: paths.pathOf(user, group.id).slice(1) })),
    };
  }

  /**
   * Makes these groups exactly those that contain the person directly from this source. Groups that do not exist are
   * ignored. Returns whether a membership changed. Takes no lock if nothing changes.
   */
  async setUserGroups(
    tx: EntityManager,
    userId: string,
    groupIds: readonly string[],
    source: GroupSource,
  ): Promise<boolean> {
    const before = await changesOf(tx, userId, groupIds, source);
    if (before.missing.length + before.surplus.length === 0) return false;
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
   * provider or SCIM manages. Returns how many were new.
   */
  async add(tx: EntityManager, by: Actor, userId: string, groupIds: readonly string[]): Promise<number> {
    if (groupIds.length === 0) return 0;
    const users = await lockUsers(tx, [userId], 'NO KEY UPDATE');
    const found = await findGroups(tx, groupIds);
    const groups = found.filter(({ source }) => source === 'manual').map(({ id }) => id);
    const added = await this.closure.addPeople(tx, { groups, users, source: 'manual' });
    await this.record(tx, 'group_member_added', added, 'manual', by.id);
    return added.length;
  }

  private record(
    tx: EntityManager,
    action: 'group_member_added' | 'group_member_removed',
    edges: readonly PersonEdge[],
    source: GroupSource,
    actorId: string | null = null,
  ): Promise<void> {
    const entries = edges.map(({ group: id, user }) => {
      const details = { source, member_type: 'user', member_id: user };
      return { action, actorId, target: { type: 'group', id } as const, details };
    });
    return this.audit.recordAll(tx, entries);
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
