import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service.js';
import { CacheInvalidationService } from '../../core/database/cache-invalidation.service.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Principal } from '../../core/http/principal.js';
import { lockNesting } from './group-edges.queries.js';
import { findDifferences, findGroupIds, findNesting, recomputeClosure } from './group-repair.queries.js';
import { GroupCycle } from './groups.errors.js';
import { findGroups, type NamedGroup } from './groups.queries.js';
import { cyclicAmong } from './nesting.js';

/** Result of a check of all groups. */
export interface NestingCheck {
  checked: number;
  /** Groups whose rows in `group_closure` do not follow from the edges. */
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
  check(): Promise<NestingCheck> {
    return this.database.manager.transaction('REPEATABLE READ', async (tx) => {
      await DatabaseService.withLongTimeout(tx);
      const groups = await findGroupIds(tx);
      const cyclic = await findGroups(tx, cyclicAmong(groups, await findNesting(tx)));
      return { checked: groups.length, wrong: (await findDifferences(tx)).length, cyclic };
    });
  }

  /** Recomputes which groups contain which. Returns the number of rows that changed. Throws GroupCycle. */
  repair({
    id: actorId,
  }: Pick<Principal, 'id'>): Promise<{ groups: number; added: number; removed: number }> {
    return this.database.transaction(async (tx) => {
      await DatabaseService.withLongTimeout(tx);
      await lockNesting(tx);
      const total = { groups: await this.requireAcyclic(tx), added: 0, removed: 0 };
      const differences = await findDifferences(tx);
      for (const { added, removed } of differences) {
        total.added += added;
        total.removed += removed;
      }
      const entries = differences.map(({ group: id, ...repaired }) => {
        const target = { type: 'group', id } as const;
        return { action: 'group_updated' as const, actorId, target, details: { repaired } };
      });
      await this.audit.recordAll(tx, entries);
      if (total.added + total.removed > 0) {
        await recomputeClosure(tx);
        this.changes.publish(tx, 'rights');
      }
      return total;
    });
  }

  /** Returns the number of groups. */
  private async requireAcyclic(tx: EntityManager): Promise<number> {
    const groups = await findGroupIds(tx);
    const cyclic = await findGroups(tx, cyclicAmong(groups, await findNesting(tx)));
    if (cyclic.length > 0) throw new GroupCycle(cyclic.map(({ name }) => name));
    return groups.length;
  }
}
