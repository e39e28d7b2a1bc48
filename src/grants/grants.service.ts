import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { Clock } from '../core/clock.js';
import { CacheInvalidationService } from '../core/database/cache-invalidation.service.js';
import type { Principal } from '../core/http/principal.js';
import { EndedRightsService } from '../groups/ended-rights.service.js';
import { UserGroupsService } from '../groups/user-groups.service.js';
import type { Grant, Holder, Target } from './grant.js';
import type { GrantSource } from './roles.js';
import { deleteGrant, deleteGrantsOf, upsertGrant } from './stored-grants.queries.js';

/** Who changes a grant; null for a rule on the identity provider's claims. */
type Actor = Pick<Principal, 'id'> | null;

/** Writes grants, with their audit events and the notification of other replicas. Callers check the rights. */
@Injectable()
export class GrantsService {
  constructor(
    private readonly clock: Clock,
    private readonly audit: AuditService,
    private readonly changes: CacheInvalidationService,
    private readonly groups: UserGroupsService,
    private readonly ended: EndedRightsService,
  ) {}

  /** Each grant replaces the one of the same holder, target and source. Returns the number of grants that changed. */
  async set(
    tx: EntityManager,
    by: Actor,
    holder: Holder,
    grants: readonly Grant[],
    source: GrantSource = 'manual',
  ): Promise<number> {
    let changed = 0;
    for (const grant of grants) if (await this.write(tx, by, holder, grant, source)) changed += 1;
    return changed;
  }

  /** Returns whether there was a grant of this source. */
  async remove(
    tx: EntityManager,
    by: Actor,
    holder: Holder,
    target: Target,
    source: GrantSource = 'manual',
  ): Promise<boolean> {
    if (!(await deleteGrant(tx, holder, target, source))) return false;
    this.publish(tx, holder);
    await this.record(tx, 'grant_removed', by, holder, source, target);
    return true;
  }

  /** Deletes all grants and group memberships of a removed user. */
  async removeAll(tx: EntityManager, by: Pick<Principal, 'id'>, userId: string): Promise<void> {
    await this.ended.record(tx, by, { type: 'user', id: userId });
    await deleteGrantsOf(tx, userId);
    await this.groups.removeFromAll(tx, userId);
    this.changes.publish(tx, 'rights', userId);
  }

  private async write(
    tx: EntityManager,
    by: Actor,
    holder: Holder,
    grant: Grant,
    source: GrantSource,
  ): Promise<boolean> {
    const row = {
      holder,
      grant,
      source,
      grantedBy: grant.grantedBy ?? by?.id ?? null,
      now: this.clock.now(),
    };
    if (!(await upsertGrant(tx, row))) return false;
    this.publish(tx, holder);
    const { role, expiresAt, grantedBy } = grant;
    await this.record(tx, 'grant_set', by, holder, source, grant, {
      role,
      expires_at: expiresAt,
      // Who accepts an invitation is the actor.
      ...(grantedBy !== undefined && grantedBy !== by?.id && { granted_by: grantedBy }),
    });
    return true;
  }

  /** A change of a group's grant invalidates every user once, instead of each of its people. */
  private publish(tx: EntityManager, { type, id }: Holder): void {
    this.changes.publish(tx, 'rights', type === 'user' ? id : undefined);
  }

  private record(
    tx: EntityManager,
    action: 'grant_set' | 'grant_removed',
    by: Actor,
    target: Holder,
    source: GrantSource,
    { workspaceId, reportId }: Target,
    grant: Record<string, unknown> = {},
  ): Promise<void> {
    return this.audit.record(tx, {
      action,
      actorId: by?.id ?? null,
      target,
      details: {
        ...(source !== 'manual' && { source }),
        workspace_id: workspaceId,
        ...(reportId !== undefined && { report_id: reportId }),
        ...grant,
      },
    });
  }
}
