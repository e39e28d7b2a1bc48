import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../core/clock.js';
import { endFormer, voidLinksTo } from '../../invitations/invitations.queries.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import { deleteResetMails } from '../../platform/jobs/personal-data.queries.js';
import { ResetLinksService } from '../../users/reset-links.service.js';
import { voidLoginCodes } from './sessions.queries.js';

interface Former {
  email: string;
  /** Who changed the address; null for a rule or the service itself. */
  by: string | null;
}

/** Voids pending ways into an account: links in emails and one-time codes. */
@Injectable()
export class OpenLinksService {
  constructor(
    private readonly resetLinks: ResetLinksService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Part of every password change, disabling, erasure and change of the address, then with the `former` one, whose open
   * invitations are revoked and whose reset mails are deleted: an erasure does not know it. The caller holds the lock on the user's row.
   */
  async voidAll(tx: EntityManager, userId: string, former?: Former): Promise<void> {
    const email = await this.resetLinks.voidAll(tx, userId);
    await voidLoginCodes(tx, userId);
    await voidLinksTo(tx, former?.email ?? email);
    if (former === undefined) return;
    await deleteResetMails(tx, former.email);
    for (const id of await endFormer(tx, userId, former.email, this.clock.now())) {
      const target = { type: 'invitation', id } as const;
      await this.audit.record(tx, { action: 'invitation_revoked', actorId: former.by, target });
    }
  }
}
