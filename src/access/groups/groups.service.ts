import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../../platform/audit/audit.service.js';
import { differences } from '../../platform/audit/differences.js';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Principal } from '../../core/http/principal.js';
import { Cursors, type Reader } from '../../core/lists/cursors.js';
import { listPage, type Page } from '../../core/lists/pagination.js';
import { errorOf } from '../../core/problems/database-problem.js';
import { canonicalName } from '../../core/validation/text.js';
import { type CreateGroupDto, groupSortKeys, ListGroupsQuery, type UpdateGroupDto } from './dto/group.dto.js';
import { EndedRightsService } from './ended-rights.service.js';
import { GroupClosureService } from './group-closure.service.js';
import { lockNesting } from './group-edges.queries.js';
import { groupEntry } from './group-entries.js';
import { timedChange } from './group-telemetry.js';
import { Group } from './group.entity.js';
import { GroupManagedElsewhere, GroupNameTaken, GroupNotFound } from './groups.errors.js';
import { type CountedGroup, findGroup, findGroupByName, listGroups } from './groups.queries.js';

type Actor = Pick<Principal, 'id'>;

@Injectable()
export class GroupsService {
  constructor(
    private readonly database: DatabaseService,
    private readonly closure: GroupClosureService,
    private readonly ended: EndedRightsService,
    private readonly audit: AuditService,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

  list(reader: Reader, { q, ...page }: ListGroupsQuery): Promise<Page<CountedGroup>> {
    const { manager } = this.database;
    return listPage(
      { name: 'groups', read: (keyset) => listGroups(manager, { q, keyset }) },
      { reader, ...page, q, keys: groupSortKeys },
      this.cursors,
    );
  }

  /** Throws GroupNotFound. With `tx` it sees the uncommitted changes of that transaction. */
  async get(id: string, tx: EntityManager = this.database.manager): Promise<CountedGroup> {
    const group = await findGroup(tx, id);
    if (group === undefined) throw new GroupNotFound();
    return group;
  }

  /** Ignores case. */
  async findByName(name: string): Promise<CountedGroup | null> {
    return (await findGroupByName(this.database.manager, name)) ?? null;
  }

  /**
   * Excludes the deletion of a group whose members change, or with `pessimistic_write` their change. Throws GroupNotFound, and
   * GroupManagedElsewhere unless the group is manual.
   */
  async lockManual(
    tx: EntityManager,
    id: string,
    mode: 'for_key_share' | 'pessimistic_write' = 'for_key_share',
  ): Promise<Group> {
    const group = await tx.findOne(Group, { where: { id }, lock: { mode } });
    if (group === null) throw new GroupNotFound();
    if (group.source !== 'manual') throw new GroupManagedElsewhere();
    return group;
  }

  /** Throws GroupNameTaken. */
  create(caller: Actor, { name, description = null }: CreateGroupDto): Promise<CountedGroup> {
    const group = { id: uuidv7(), name: canonicalName(name), description, source: 'manual' as const };
    return this.uniquelyNamed(async (tx) => {
      await tx.insert(Group, { ...group, createdAt: this.clock.now() });
      await this.audit.record(tx, groupEntry('group_created', caller, group.id, { name: group.name }));
      return this.get(group.id, tx);
    });
  }

  /** Throws GroupNotFound, GroupNameTaken, or GroupManagedElsewhere for a new name of a group that is not manual. */
  update(caller: Actor, id: string, changes: UpdateGroupDto): Promise<CountedGroup> {
    return this.uniquelyNamed(async (tx) => {
      const group = await tx.findOne(Group, { where: { id }, lock: { mode: 'for_no_key_update' } });
      if (group === null) throw new GroupNotFound();
      const name = changes.name === undefined ? group.name : canonicalName(changes.name);
      const { description = group.description } = changes;
      const diff = differences(group, { name, description });
      if (diff.name !== undefined && group.source !== 'manual') throw new GroupManagedElsewhere();
      if (Object.keys(diff).length > 0) {
        await tx.update(Group, { id }, { name, description });
        await this.audit.record(tx, groupEntry('group_updated', caller, group.id, { diff }));
      }
      return this.get(id, tx);
    });
  }

  /** Deletes a group, its grants and its place in other groups. Throws GroupNotFound or GroupManagedElsewhere. */
  remove(caller: Actor, id: string): Promise<void> {
    const deletion = async (tx: EntityManager): Promise<void> => {
      await lockNesting(tx);
      const group = await this.lockManual(tx, id, 'pessimistic_write');
      await this.ended.record(tx, caller, { type: 'group', id: group.id });
      await this.closure.deleteGroup(tx, group.id);
      await this.audit.record(tx, groupEntry('group_deleted', caller, group.id, { name: group.name }));
    };
    return timedChange('groups', () => this.database.contendedTransaction(deletion));
  }

  private async uniquelyNamed<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.database.transaction(work);
    } catch (error) {
      throw errorOf(error).constraint === 'groups_name_key_key' ? new GroupNameTaken() : error;
    }
  }
}
