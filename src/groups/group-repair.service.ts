import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { CacheInvalidationService } from '../core/database/cache-invalidation.service.js';
import { DatabaseService } from '../core/database/database.service.js';
import type { Principal } from '../core/http/principal.js';
import { lockUsers } from '../users/users.queries.js';
import { insertMembers } from './group-closure.queries.js';
import { lockAllEdges } from './group-edges.queries.js';
import {
  deleteSurplus,
  findGroupIds,
  findMemberships,
  findMissing,
  findNesting,
  sampleUsers,
} from './group-repair.queries.js';
import { GroupCycle } from './groups.errors.js';
import { findDirectGroups, findGroups, type NamedGroup } from './groups.queries.js';
import { innerFirst, upwards } from './nesting.js';

/** Result of a check of some people. */
export interface MembershipCheck {
  checked: number;
  /** People whose rows in `group_members_all` do not follow from the edges. */
  wrong: number;
  /** Groups that contain themselves, and those around them. */
  cyclic: NamedGroup[];
}

/** Verifies and repairs what is derived from the edges of groups, which only a change outside of the service can break. */
@Injectable()
export class GroupRepairService {
  constructor(
    private readonly database: DatabaseService,
    private readonly changes: CacheInvalidationService,
    private readonly audit: AuditService,
  ) {}

  /** Reads one state of the database, so that concurrent changes do not look like faults. */
  check(people: number): Promise<MembershipCheck> {
    return this.database.manager.transaction('REPEATABLE READ', async (tx) => {
      const users = await sampleUsers(tx, people);
      const nesting = await findNesting(tx);
      const outerOf = Map.groupBy(nesting, ({ inner }) => inner);
      const direct = Map.groupBy(await findDirectGroups(tx, users), ({ user }) => user);
      const actual = Map.groupBy(await findMemberships(tx, users), ({ user }) => user);
      const isWrong = (user: string): boolean => {
        const groups = (direct.get(user) ?? []).map(({ group }) => group);
        const expected = upwards(groups, outerOf);
        const found = actual.get(user) ?? [];
        return found.length !== expected.size || found.some(({ group }) => !expected.has(group));
      };
      const { cyclic } = innerFirst(await findGroupIds(tx), nesting);
      const wrong = users.filter(isWrong).length;
      return { checked: users.length, wrong, cyclic: await findGroups(tx, cyclic) };
    });
  }

  /**
   * Recomputes all groups, the inner ones first, each in a transaction of its own. Other changes of groups wait for one
   * group only. Returns the number of rows that changed. Throws GroupCycle.
   */
  async repair(caller: Pick<Principal, 'id'>): Promise<{ groups: number; added: number; removed: number }> {
    const { manager } = this.database;
    const { ordered, cyclic } = innerFirst(await findGroupIds(manager), await findNesting(manager));
    if (cyclic.length > 0) throw new GroupCycle((await findGroups(manager, cyclic)).map(({ name }) => name));
    const total = { groups: ordered.length, added: 0, removed: 0 };
    for (const id of ordered) {
      const { added, removed } = await this.database.transaction((tx) => this.repairOne(tx, caller, id));
      total.added += added;
      total.removed += removed;
    }
    return total;
  }

  private async repairOne(
    tx: EntityManager,
    { id: actorId }: Pick<Principal, 'id'>,
    id: string,
  ): Promise<{ added: number; removed: number }> {
    await DatabaseService.withLongTimeout(tx);
    await lockAllEdges(tx);
    // Excludes an erasure in between, which would not delete a row that is written afterwards.
    const missing = await lockUsers(tx, await findMissing(tx, id), 'KEY SHARE');
    await insertMembers(tx, [id], missing);
    const repaired = { added: missing.length, removed: await deleteSurplus(tx, id) };
    if (repaired.added + repaired.removed > 0) {
      this.changes.publish(tx, 'rights');
      const target = { type: 'group', id } as const;
      await this.audit.record(tx, { action: 'group_updated', actorId, target, details: { repaired } });
    }
    return repaired;
  }
}
