import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service.js';
import { CacheInvalidationService } from '../../core/database/cache-invalidation.service.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Principal } from '../../core/http/principal.js';
import { lockNesting } from './group-edges.queries.js';
import { groupEntry } from './group-entries.js';
import {
  findDifferences,
  findGroupIds,
  findNesting,
  recomputeClosure,
  type Nesting,
} from './group-closure.queries.js';
import { GroupCycle } from './groups.errors.js';
import { findGroups, type NamedGroup } from './groups.queries.js';

/** The groups on a cycle, and those around them. */
function cyclicAmong(groups: readonly string[], nesting: readonly Nesting[]): string[] {
  const outerOf = Map.groupBy(nesting, ({ inner }) => inner);
  const waiting = new Map(groups.map((id) => [id, 0]));
  for (const { outer } of nesting) waiting.set(outer, (waiting.get(outer) ?? 0) + 1);
  const ordered = new Set(groups.filter((id) => waiting.get(id) === 0));
  // The iteration includes the groups that it adds: each comes after the groups in it.
  for (const id of ordered) {
    for (const { outer } of outerOf.get(id) ?? []) {
      const left = (waiting.get(outer) ?? 0) - 1;
      waiting.set(outer, left);
      if (left === 0) ordered.add(outer);
    }
  }
  return groups.filter((id) => !ordered.has(id));
}

/** Result of a check of all groups. */
export interface NestingCheck {
  checked: number;
  /** Groups whose rows in `group_closure` do not follow from the edges. */
  wrong: number;
  /** Groups that contain themselves, and those around them. */
  cyclic: NamedGroup[];
}

async function findCyclic(tx: EntityManager): Promise<Pick<NestingCheck, 'checked' | 'cyclic'>> {
  const groups = await findGroupIds(tx);
  const cyclic = await findGroups(tx, cyclicAmong(groups, await findNesting(tx)));
  return { checked: groups.length, cyclic };
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
      const { checked, cyclic } = await findCyclic(tx);
      return { checked, wrong: (await findDifferences(tx)).length, cyclic };
    });
  }

  /** Recomputes which groups contain which. Returns the number of rows that changed. Throws GroupCycle. */
  repair(actor: Pick<Principal, 'id'>): Promise<{ groups: number; added: number; removed: number }> {
    return this.database.transaction(async (tx) => {
      await DatabaseService.withLongTimeout(tx);
      await lockNesting(tx);
      const { checked, cyclic } = await findCyclic(tx);
      if (cyclic.length > 0) throw new GroupCycle(cyclic.map(({ name }) => name));
      const total = { groups: checked, added: 0, removed: 0 };
      const differences = await findDifferences(tx);
      for (const { added, removed } of differences) {
        total.added += added;
        total.removed += removed;
      }
      const entries = differences.map(({ group, ...repaired }) =>
        groupEntry('group_updated', actor, group, { repaired }),
      );
      await this.audit.recordAll(tx, entries);
      if (total.added + total.removed > 0) {
        await recomputeClosure(tx);
        this.changes.publish(tx, 'rights');
      }
      return total;
    });
  }
}
