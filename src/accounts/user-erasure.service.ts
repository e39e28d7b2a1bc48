import { Injectable } from '@nestjs/common';
import { AuditService } from '../platform/audit/audit.service.js';
import { Clock } from '../core/clock.js';
import { CacheInvalidationService } from '../core/database/cache-invalidation.service.js';
import { DatabaseService } from '../core/database/database.service.js';
import { placeholderEmail } from '../core/validation/email-address.js';
import { OpenLinksService } from '../auth/sessions/open-links.service.js';
import { lockIdentitiesOf } from '../auth/oidc/identities.queries.js';
import { UserNotDisabled } from '../users/users.errors.js';
import { lockPerson } from '../users/users.queries.js';
import { personalDataRegistry } from './personal-data.js';

@Injectable()
export class UserErasureService {
  constructor(
    private readonly database: DatabaseService,
    private readonly links: OpenLinksService,
    private readonly changes: CacheInvalidationService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Erases all registered personal data of a user in one transaction. Throws UserNotFound, and UserNotDisabled: neither
   * the last admin nor an active user can be erased. A caller without id is the service itself. With `deletedBefore`, only a
   * person whom SCIM deleted before.
   */
  async erase(caller: { id: string | null }, id: string, deletedBefore?: Date): Promise<void> {
    await this.database.transaction(async (tx) => {
      await lockIdentitiesOf(tx, id);
      const { email, status, scimDeletedAt } = await lockPerson(tx, id);
      const isKept =
        deletedBefore !== undefined && !(scimDeletedAt !== null && scimDeletedAt < deletedBefore);
      if (status !== 'disabled' || isKept) throw new UserNotDisabled();
      await this.links.voidAll(tx, id);
      const person = { id, email, placeholder: placeholderEmail(id, 'erased'), at: this.clock.now() };
      for (const { erasure } of personalDataRegistry) {
        if ('does' in erasure) await erasure.run?.(tx, person);
      }
      this.changes.publish(tx, 'rights', id);
      await this.audit.record(tx, {
        action: 'user_erased',
        actorId: caller.id,
        target: { type: 'user', id },
      });
    });
  }
}
