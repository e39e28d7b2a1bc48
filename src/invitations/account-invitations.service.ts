import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../platform/audit/audit.service.js';
import { Clock } from '../core/clock.js';
import { CacheInvalidationService } from '../core/database/cache-invalidation.service.js';
import { DatabaseService } from '../core/database/database.service.js';
import { setLocal } from '../core/database/execute.js';
import { lockActiveUser } from '../users/users.queries.js';
import type { Grant } from '../access/grants/grant.entity.js';
import { findActiveGrants } from '../access/grants/stored-grants.queries.js';
import { InvitationAccessService } from './invitation-access.service.js';
import { Invitation } from './invitation.entity.js';
import { openOf } from './invitations.queries.js';
import { InvitationRightsService } from './invitation-rights.service.js';
import { withoutNewer } from './pending-access.queries.js';

/** An attempt that waits longer is repeated later. */
const LOCK_TIMEOUT = '200ms';

/**
 * Invitations of existing accounts: a manager's, which stay pending until the user's next sign-in or request, so that the
 * manager cannot detect the account (docs/decisions/masked-invitations.md), and those that were sent before the account
 * existed.
 */
@Injectable()
export class AccountInvitationsService {
  constructor(
    private readonly database: DatabaseService,
    private readonly rights: InvitationRightsService,
    private readonly access: InvitationAccessService,
    private readonly audit: AuditService,
    private readonly changes: CacheInvalidationService,
    private readonly clock: Clock,
  ) {}

  /** Accepts all open invitations of this user. Throws when another transaction holds a lock that it requires. */
  async accept(userId: string): Promise<void> {
    await this.database.newTransaction(async (tx) => {
      await setLocal(tx, 'lock_timeout', LOCK_TIMEOUT);
      const lock = { mode: 'pessimistic_write' } as const;
      if (!(await lockActiveUser(tx, userId))) return;
      const waiting = await tx.find(Invitation, {
        where: openOf(userId, this.clock.now()),
        order: { createdAt: 'ASC', id: 'ASC' },
        lock,
      });
      if (waiting.length === 0) return;
      // Read before the first acceptance, whose grants would precede the next invitation.
      const held = await findActiveGrants(tx, { type: 'user', id: userId }, this.clock.now());
      for (const invitation of waiting) await this.acceptOne(tx, userId, invitation, held);
      this.changes.publish(tx, 'rights', userId);
    });
  }

  private async acceptOne(
    tx: EntityManager,
    userId: string,
    { id, ...invitation }: Invitation,
    held: readonly Grant[],
  ): Promise<void> {
    const now = this.clock.now();
    const target = { type: 'invitation', id } as const;
    const remaining = await this.rights.revalidate(tx, { id, ...invitation }, userId);
    if (remaining === null) {
      await tx.update(Invitation, { id }, { revokedAt: now });
      await this.audit.record(tx, { action: 'invitation_revoked', actorId: null, target });
      return;
    }
    const access = withoutNewer(remaining, invitation.createdAt, held);
    await this.access.give(tx, { id: userId }, userId, access);
    if (invitation.role === 'admin') await this.access.makeAdmin(tx, userId);
    await tx.update(Invitation, { id }, { acceptedAt: now });
    await this.audit.record(tx, { action: 'invitation_accepted', actorId: userId, target });
  }
}
