import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { UsersService } from '../users/users.service.js';
import { OpenLinksService } from '../sessions/open-links.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { PasswordMailService } from './password-mail.service.js';

interface PasswordChange {
  userId: string;
  passwordHash: string;
  action: 'password_changed' | 'password_reset';
  /** The session that goes on. */
  except?: string;
}

/** What a new password brings with it, however it came about. */
@Injectable()
export class PasswordChangesService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly links: OpenLinksService,
    private readonly mail: PasswordMailService,
    private readonly audit: AuditService,
  ) {}

  /** The sessions end, open links and codes are void, the person gets a mail and the trail an event, with the change or not at all. */
  async apply(tx: EntityManager, { userId, passwordHash, action, except }: PasswordChange): Promise<void> {
    await this.users.setPassword(tx, userId, passwordHash);
    await this.links.voidAll(tx, userId);
    await this.sessions.endAll(tx, { userId, except, reason: action, by: userId });
    await this.audit.record(tx, { action, actorId: userId, target: { type: 'user', id: userId } });
    await this.mail.enqueueChanged(tx, userId);
  }
}
