import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type AuditEntry, AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { CacheInvalidationService } from '../../core/database/cache-invalidation.service.js';
import type { Principal } from '../../core/http/principal.js';
import { EndedRightsService } from '../groups/ended-rights.service.js';
import { deleteEdgesOfUser } from '../groups/group-edges.queries.js';
import { type GrantSource, type Holder, type NewGrant, type Target, targetIdOf } from './grant.js';
import { Grant } from './grant.entity.js';
import { deleteGrants, findActiveGrants, lockGrantsOf, upsertGrants } from './stored-grants.queries.js';

/** Who changes a grant; null for a rule on the identity provider's claims. */
type Actor = Pick<Principal, 'id'> | null;

/** Writes grants, with their audit events and the notification of other replicas. Callers check the rights. */
@Injectable()
export class GrantsService {
  constructor(
    private readonly clock: Clock,
    private readonly audit: AuditService,
    private readonly changes: CacheInvalidationService,
    private readonly ended: EndedRightsService,
  ) {
    // For the deletion of a group or a service account.
    ended.register(async (tx, holder) => {
      await lockGrantsOf(tx, holder);
      const grants = await findActiveGrants(tx, holder, clock.now());
      return grants.map((grant) => entryOf('grant_removed', null, holder, grant.source, grant));
    });
  }

  /**
   * Each grant replaces the one of the same holder, target and source; of several on one target the last counts. Returns
   * the number of grants that changed.
   */
  async set(
    tx: EntityManager,
    by: Actor,
    holder: Holder,
    grants: readonly NewGrant[],
    source: GrantSource = 'manual',
  ): Promise<number> {
    const given = new Map(grants.map((grant) => [targetIdOf(grant), grant]));
    const rows = [...given.values()].map((grant) => ({
      ...grant,
      grantedBy: grant.grantedBy ?? by?.id ?? null,
    }));
    const written = await upsertGrants(tx, { holder, grants: rows, source, now: this.clock.now() });
    if (written.length === 0) return 0;
    this.publish(tx, holder);
    const entries = written.map(({ role, expiresAt, grantedBy, ...target }) =>
      entryOf('grant_set', by, holder, source, target, {
        role,
        expires_at: expiresAt,
        // Who accepts an invitation is the actor.
        ...(grantedBy !== null && grantedBy !== by?.id && { granted_by: grantedBy }),
      }),
    );
    await this.audit.recordAll(tx, entries);
    return written.length;
  }

  /** Returns whether there was a grant of this source on one of these targets. */
  async remove(
    tx: EntityManager,
    by: Actor,
    holder: Holder,
    targets: readonly Target[],
    source: GrantSource = 'manual',
  ): Promise<boolean> {
    const removed = await deleteGrants(tx, holder, targets, source);
    if (removed.length === 0) return false;
    this.publish(tx, holder);
    await this.audit.recordAll(
      tx,
      removed.map((target) => entryOf('grant_removed', by, holder, source, target)),
    );
    return true;
  }

  /** Deletes all grants and group memberships of a removed user. */
  async removeAll(tx: EntityManager, by: Pick<Principal, 'id'>, userId: string): Promise<void> {
    await this.ended.record(tx, by, { type: 'user', id: userId });
    await tx.delete(Grant, { userId });
    await deleteEdgesOfUser(tx, userId);
    this.changes.publish(tx, 'rights', userId);
  }

  /** A change of a group's grant invalidates every user once, instead of each of its people. */
  private publish(tx: EntityManager, { type, id }: Holder): void {
    this.changes.publish(tx, 'rights', type === 'user' ? id : undefined);
  }
}

function entryOf(
  action: 'grant_set' | 'grant_removed',
  by: Actor,
  target: Holder,
  source: GrantSource,
  { workspaceId, reportId }: Pick<Grant, 'workspaceId' | 'reportId'> | Target,
  grant: Record<string, unknown> = {},
): AuditEntry {
  return {
    action,
    actorId: by?.id ?? null,
    target,
    details: {
      ...(source !== 'manual' && { source }),
      workspace_id: workspaceId,
      ...(reportId != null && { report_id: reportId }),
      ...grant,
    },
  };
}
