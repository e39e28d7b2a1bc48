import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Principal } from '../../core/http/principal.js';
import { Cursors, type Reader } from '../../core/lists/cursors.js';
import { type Keyset, listPage, type Page } from '../../core/lists/pagination.js';
import { InvalidRequest, type InvalidValue } from '../../core/problems/problem.js';
import { UserNotFound } from '../../users/users.errors.js';
import { lockUsers } from '../../users/users.queries.js';
import type { AddGroupMembersDto } from './dto/group-member.dto.js';
import { groupMemberSortKeys, ListGroupMembersQuery } from './dto/group.dto.js';
import { GroupClosureService } from './group-closure.service.js';
import { lockNesting } from './group-edges.queries.js';
import { PathFinder } from './path-finder.js';
import { timedChange } from './group-telemetry.js';
import type { Group } from './group.entity.js';
import { GroupMemberNotFound, GroupNotFound } from './groups.errors.js';
import { findGroups, type GroupMember, listMembers, type NamedGroup } from './groups.queries.js';
import { GroupsService } from './groups.service.js';

type Actor = Pick<Principal, 'id'>;
type Member = Pick<GroupMember, 'type' | 'id'>;

/** A direct member, or a person with the names of the groups on the way down. */
export type ListedMember = GroupMember & { path?: readonly string[] };

/** Members of a group, as admins list and change them. */
@Injectable()
export class GroupMembersService {
  constructor(
    private readonly groups: GroupsService,
    private readonly closure: GroupClosureService,
    private readonly database: DatabaseService,
    private readonly audit: AuditService,
    private readonly cursors: Cursors,
  ) {}

  /** Throws GroupNotFound. */
  async list(
    reader: Reader,
    id: string,
    { effective, q, ...page }: ListGroupMembersQuery,
  ): Promise<Page<ListedMember>> {
    const { manager } = this.database;
    const group = (await this.groups.get(id)).id;
    const read = (keyset: Keyset): Promise<GroupMember[]> =>
      listMembers(manager, { group, isEffective: effective, q, keyset });
    const found = await listPage(
      { name: 'group members', read },
      { reader, ...page, q, keys: groupMemberSortKeys, filters: { group, effective } },
      this.cursors,
    );
    if (!effective) return found;
    const paths = new PathFinder(manager);
    await paths.load(
      found.items.map((person) => person.id),
      [group],
    );
    return {
      ...found,
      items: found.items.map((person) => ({ ...person, path: paths.pathOf(person.id, group).slice(1) })),
    };
  }

  /** Throws GroupNotFound, GroupManagedElsewhere or UserNotFound. */
  addUser(caller: Actor, id: string, userId: string): Promise<void> {
    return this.edit(id, 'people', async (tx, group) => {
      const users = await lockUsers(tx, [userId], 'NO KEY UPDATE');
      if (users.length === 0) throw new UserNotFound();
      await this.addPeople(tx, caller, group, users);
    });
  }

  /** Throws GroupNotFound, GroupManagedElsewhere or GroupMemberNotFound. */
  removeUser(caller: Actor, id: string, userId: string): Promise<void> {
    return this.edit(id, 'people', async (tx, group) => {
      const users = await lockUsers(tx, [userId], 'NO KEY UPDATE');
      const edges = { groups: [group.id], users, source: 'manual' } as const;
      const [removed] = await this.closure.removePeople(tx, edges);
      if (removed === undefined) throw new GroupMemberNotFound();
      await this.record(tx, caller, 'group_member_removed', group, [{ type: 'user', id: removed.user }]);
    });
  }

  /** Throws GroupNotFound, also for the inner group, GroupManagedElsewhere, GroupCycle or GroupTooDeep. */
  addGroup(caller: Actor, id: string, memberId: string): Promise<void> {
    return this.edit(id, 'groups', async (tx, group) => {
      const [member] = await findGroups(tx, [memberId]);
      if (member === undefined) throw new GroupNotFound();
      await this.addGroups(tx, caller, group, [member]);
    });
  }

  /** Throws GroupNotFound, GroupManagedElsewhere or GroupMemberNotFound. */
  removeGroup(caller: Actor, id: string, memberId: string): Promise<void> {
    return this.edit(id, 'groups', async (tx, group) => {
      const [removed] = await this.closure.removeGroups(tx, group.id, [memberId], 'manual');
      if (removed === undefined) throw new GroupMemberNotFound();
      await this.record(tx, caller, 'group_member_removed', group, [{ type: 'group', id: removed }]);
    });
  }

  /**
   * Adds all of these members or none. Throws GroupNotFound, GroupManagedElsewhere, GroupCycle, GroupTooDeep, and
   * InvalidRequest for unknown ids.
   */
  addAll(caller: Actor, id: string, { users, groups }: AddGroupMembersDto): Promise<void> {
    return this.edit(id, groups.length > 0 ? 'groups' : 'people', async (tx, group) => {
      const people = await lockUsers(tx, users, 'NO KEY UPDATE');
      const found = await findGroups(tx, groups);
      const unknown = [
        ...unknownAmong('users', users, people),
        ...unknownAmong(
          'groups',
          groups,
          found.map((member) => member.id),
        ),
      ];
      if (unknown.length > 0) throw new InvalidRequest(unknown);
      await this.addPeople(tx, caller, group, people);
      await this.addGroups(tx, caller, group, found);
    });
  }

  /** Only changes of groups wait for each other: changes of people affect no other group. */
  private edit(
    id: string,
    change: 'people' | 'groups',
    work: (tx: EntityManager, group: Group) => Promise<void>,
  ): Promise<void> {
    const inTransaction = async (tx: EntityManager): Promise<void> => {
      if (change === 'groups') await lockNesting(tx);
      await work(tx, await this.groups.lockManual(tx, id));
    };
    return timedChange(change, () => this.database.contendedTransaction(inTransaction));
  }

  private async addPeople(
    tx: EntityManager,
    caller: Actor,
    group: Group,
    users: readonly string[],
  ): Promise<void> {
    const added = await this.closure.addPeople(tx, { groups: [group.id], users, source: 'manual' });
    const members = added.map(({ user: id }) => ({ type: 'user', id }) as const);
    await this.record(tx, caller, 'group_member_added', group, members);
  }

  private async addGroups(
    tx: EntityManager,
    caller: Actor,
    group: Group,
    members: readonly NamedGroup[],
  ): Promise<void> {
    const added = await this.closure.addGroups(tx, group, members, 'manual');
    const groups = added.map((id) => ({ type: 'group', id }) as const);
    await this.record(tx, caller, 'group_member_added', group, groups);
  }

  private record(
    tx: EntityManager,
    { id: actorId }: Actor,
    action: 'group_member_added' | 'group_member_removed',
    { id }: Group,
    members: readonly Member[],
  ): Promise<void> {
    const target = { type: 'group', id } as const;
    const entries = members.map((member) => {
      const details = { source: 'manual', member_type: member.type, member_id: member.id };
      return { action, actorId, target, details };
    });
    return this.audit.recordAll(tx, entries);
  }
}

function unknownAmong(name: string, ids: readonly string[], known: readonly string[]): InvalidValue[] {
  const present = new Set(known);
  return ids.flatMap((id, index) =>
    present.has(id.toLowerCase())
      ? []
      : [{ pointer: `/${name}/${index}`, detail: `no ${name === 'users' ? 'user' : 'group'} has this id` }],
  );
}
