import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service.js';
import { UsersService } from '../../users/users.service.js';
import { OpenLinksService } from '../sessions/open-links.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { PasswordMailService } from './password-mail.service.js';

interface PasswordChange {
  userId: string;
  passwordHash: string;
  action: 'password_changed' | 'password_reset';
  /** Id of the session that stays active. */
  except?: string;
  /** Id of who changes it; the user by default. */
  by?: string;
}

/** Side effects that every password change has. */
@Injectable()
export class PasswordChangesService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly links: OpenLinksService,
    private readonly mail: PasswordMailService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Sets the password, voids open links and codes, ends the sessions, writes the audit event and enqueues the email, in
   * one transaction.
   */
  async apply(tx: EntityManager, change: PasswordChange): Promise<void> {
    const { userId, passwordHash, action, except, by = userId } = change;
    await this.users.setPassword(tx, userId, passwordHash);
    await this.links.voidAll(tx, userId);
    await this.sessions.endAll(tx, { userId, except, reason: action, by });
    await this.audit.record(tx, { action, actorId: by, target: { type: 'user', id: userId } });
    await this.mail.enqueueChanged(tx, userId);
  }
}
