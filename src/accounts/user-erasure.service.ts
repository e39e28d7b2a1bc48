import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { DatabaseService } from '../core/database/database.service.js';
import type { Principal } from '../core/http/principal.js';
import { placeholderEmail } from '../core/validation/email-address.js';
import { deleteKeysOf } from '../idempotency/idempotency.queries.js';
import { eraseInvitee } from '../invitations/invitations.queries.js';
import { deleteIdentitiesOf } from '../oidc/oidc.queries.js';
import { OpenLinksService } from '../sessions/open-links.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { eraseUsageOf } from '../usage/people.queries.js';
import { UserNotDisabled } from '../users/users.errors.js';
import { lockPerson } from '../users/users.queries.js';
import { UsersService } from '../users/users.service.js';
import { GrantsService } from '../grants/grants.service.js';

@Injectable()
export class UserErasureService {
  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersService,
    private readonly links: OpenLinksService,
    private readonly sessions: SessionsService,
    private readonly grants: GrantsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Removes the personal data of a user in one transaction; a module that stores more of it adds a call here. The row stays
   * without personal data, because other tables refer to it. Throws UserNotFound, and UserNotDisabled: neither the last
   * admin nor an active user can be erased.
   */
  async erase(caller: Principal, id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { email, status } = await lockPerson(tx, id);
      if (status !== 'disabled') throw new UserNotDisabled();
      await this.links.voidAll(tx, id);
      await this.sessions.removeAll(tx, id);
      await deleteIdentitiesOf(tx, id);
      await this.grants.removeAll(tx, id);
      await deleteKeysOf(tx, { id, email });
      await eraseUsageOf(tx, id);
      const placeholder = placeholderEmail(id, 'erased');
      await eraseInvitee(tx, { id, email, placeholder });
      await this.users.erase(tx, id, placeholder);
      await this.audit.record(tx, {
        action: 'user_erased',
        actorId: caller.id,
        target: { type: 'user', id },
      });
    });
  }
}
