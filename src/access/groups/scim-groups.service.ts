import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../../platform/audit/audit.service.js';
import { differences } from '../../platform/audit/differences.js';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Offset, OffsetCondition } from '../../core/lists/offset-page.js';
import type { Principal } from '../../core/http/principal.js';
import { errorOf } from '../../core/problems/database-problem.js';
import { canonicalName } from '../../core/validation/text.js';
import { EndedRightsService } from './ended-rights.service.js';
import { GroupClosureService } from './group-closure.service.js';
import { lockNesting } from './group-edges.queries.js';
import { groupEntry } from './group-entries.js';
import { timedChange } from './group-telemetry.js';
import { Group } from './group.entity.js';
import { GroupExternalIdTaken, GroupNameTaken, GroupNotFound } from './groups.errors.js';
import {
  findScimGroup,
  listScimGroups,
  listScimMembers,
  lockScimGroup,
  type ScimGroup,
  type ScimMember,
  updateScimGroup,
} from './scim-groups.queries.js';
import { type MemberChange, ScimMembersService } from './scim-members.service.js';

type Actor = Pick<Principal, 'id'>;

/** Omitted properties stay unchanged. */
export interface ScimGroupChange {
  name?: string;
  externalId?: string | null;
  members?: MemberChange;
}

/** Groups that SCIM manages. Groups of other sources do not exist for it, except that their names are taken. */
@Injectable()
export class ScimGroupsService {
  constructor(
    private readonly database: DatabaseService,
    private readonly closure: GroupClosureService,
    private readonly ended: EndedRightsService,
    private readonly members: ScimMembersService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** In the order of their creation. */
  list(condition: OffsetCondition, page: Offset): Promise<{ total: number; items: ScimGroup[] }> {
    return listScimGroups(this.database.manager, condition, page);
  }

  /** Throws GroupNotFound. */
  async get(id: string): Promise<ScimGroup> {
    const group = await findScimGroup(this.database.manager, id);
    if (group === undefined) throw new GroupNotFound();
    return group;
  }

  /** The direct members of all these groups that exist for SCIM, at most `limit`. */
  listMembers(groups: readonly string[], limit?: number): Promise<ScimMember[]> {
    return listScimMembers(this.database.manager, groups, limit);
  }

  /** Throws GroupNameTaken, GroupExternalIdTaken, and what `ScimMembersService.change` throws. */
  create(caller: Actor, { name, externalId, members }: ScimGroupChange & { name: string }): Promise<string> {
    const group = { id: uuidv7(), name: canonicalName(name), externalId: externalId ?? null };
    return this.write('people', async (tx) => {
      const createdAt = this.clock.now();
      await tx.insert(Group, {
        ...group,
        description: null,
        source: 'scim',
        createdAt,
        updatedAt: createdAt,
      });
      const details = { name: group.name, source: 'scim', external_id: group.externalId };
      await this.audit.record(tx, groupEntry('group_created', caller, group.id, details));
      if (members !== undefined) await this.members.change(tx, caller, group, members);
      return group.id;
    });
  }

  /** Throws GroupNotFound and what `create` throws. */
  change(caller: Actor, id: string, changes: ScimGroupChange): Promise<void> {
    return this.write('people', async (tx) => {
      const before = await this.lock(tx, id);
      const name = changes.name === undefined ? before.name : canonicalName(changes.name);
      const { externalId = before.externalId } = changes;
      const group = { ...before, name, externalId };
      const diff = differences(before, { name, externalId });
      const isDifferent = Object.keys(diff).length > 0;
      if (isDifferent) await this.audit.record(tx, groupEntry('group_updated', caller, group.id, { diff }));
      const isChanged =
        changes.members !== undefined && (await this.members.change(tx, caller, group, changes.members));
      if (isChanged || isDifferent) await updateScimGroup(tx, group, this.clock.now());
    });
  }

  /** Deletes a group, its grants and its place in other groups. Throws GroupNotFound. */
  remove(caller: Actor, id: string): Promise<void> {
    return this.write('groups', async (tx) => {
      const group = await this.lock(tx, id);
      await lockNesting(tx);
      // No grant or member is added between the record of what ends and the deletion.
      await tx.findOne(Group, {
        where: { id: group.id },
        select: { id: true },
        lock: { mode: 'pessimistic_write' },
      });
      await this.ended.record(tx, caller, { type: 'group', id: group.id });
      await this.closure.deleteGroup(tx, group.id);
      const details = { name: group.name, source: 'scim' };
      await this.audit.record(tx, groupEntry('group_deleted', caller, group.id, details));
    });
  }

  private async lock(tx: EntityManager, id: string): Promise<ScimGroup> {
    const group = await lockScimGroup(tx, id);
    if (group === undefined) throw new GroupNotFound();
    return group;
  }

  private async write<T>(change: 'people' | 'groups', work: (tx: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await timedChange(change, () => this.database.contendedTransaction(work));
    } catch (error) {
      const { constraint } = errorOf(error);
      if (constraint === 'groups_name_key_key') throw new GroupNameTaken();
      if (constraint === 'groups_external_id_key') throw new GroupExternalIdTaken();
      throw error;
    }
  }
}
