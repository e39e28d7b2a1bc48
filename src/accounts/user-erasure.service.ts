import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { Clock } from '../core/clock.js';
import type { Principal } from '../core/http/principal.js';
import { CacheInvalidationService } from '../core/database/cache-invalidation.service.js';
import { DatabaseService } from '../core/database/database.service.js';
import { placeholderEmail } from '../core/validation/email-address.js';
import { User } from '../users/user.entity.js';
import { UserNotDisabled, UserNotFound } from '../users/users.errors.js';
import { OpenLinksService } from '../sessions/open-links.service.js';

interface ErasedUser {
  id: string;
  email: string;
  /** Address that replaces the email. */
  placeholder: string;
}

/** All personal data, in every module. A new table with personal data needs a line here. */
const personalData: [sql: string, values: (person: ErasedUser) => string[]][] = [
  ['DELETE FROM sessions WHERE user_id = $1', ({ id }) => [id]],
  ['DELETE FROM user_identities WHERE user_id = $1', ({ id }) => [id]],
  ['DELETE FROM login_codes WHERE user_id = $1', ({ id }) => [id]],
  ['DELETE FROM password_resets WHERE user_id = $1', ({ id }) => [id]],
  ['DELETE FROM memberships WHERE user_id = $1', ({ id }) => [id]],
  ['DELETE FROM idempotency_keys WHERE user_id = $1', ({ id }) => [id]],
  [`DELETE FROM idempotency_keys WHERE body->>'email' = $1`, ({ email }) => [email]],
  [
    `UPDATE invitations SET email = $3, name = NULL, delivery_error = NULL,
       revoked_at = CASE WHEN accepted_at IS NULL THEN coalesce(revoked_at, now()) ELSE revoked_at END
     WHERE user_id = $1 OR email = $2`,
    ({ id, email, placeholder }) => [id, email, placeholder],
  ],
];

@Injectable()
export class UserErasureService {
  constructor(
    private readonly database: DatabaseService,
    private readonly clock: Clock,
    private readonly links: OpenLinksService,
    private readonly audit: AuditService,
    private readonly changes: CacheInvalidationService,
  ) {}

  /**
   * Anonymizes the row, which stays because other tables refer to it. Throws UserNotFound, or UserNotDisabled for an
   * active user, which also protects the last admin.
   */
  async erase(caller: Principal, id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const where = { id, kind: 'person', removedAt: IsNull() } as const;
      const user = await tx.findOne(User, { where, lock: { mode: 'pessimistic_write' } });
      if (user === null) throw new UserNotFound();
      if (user.status !== 'disabled') throw new UserNotDisabled();
      await this.links.voidAll(tx, id);
      const placeholder = placeholderEmail(id, 'erased');
      for (const [sql, values] of personalData)
        await tx.query(sql, values({ id, email: user.email, placeholder }));
      const removedAt = this.clock.now();
      const nobody = {
        email: placeholder,
        name: 'Erased person',
        passwordHash: null,
        attributes: {},
        lastSignInAt: null,
      };
      await tx.update(User, { id }, { ...nobody, removedAt });
      this.changes.publish(tx, 'rights', id);
      await this.audit.record(tx, {
        action: 'user_erased',
        actorId: caller.id,
        target: { type: 'user', id },
      });
    });
  }
}
