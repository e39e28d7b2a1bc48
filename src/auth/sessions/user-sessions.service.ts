import { ForbiddenException, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../../core/http/principal.js';
import type { Reader } from '../../core/lists/cursors.js';
import type { Page } from '../../core/lists/pagination.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { canonicalEmail } from '../../core/validation/email-address.js';
import type { User } from '../../users/user.entity.js';
import type { UserChanges } from '../../users/user-changes.js';
import { lockForAdmin } from '../../users/users.queries.js';
import { UsersService } from '../../users/users.service.js';
import { EmailNotChangeable, EmailTaken } from '../../users/users.errors.js';
import { EmailChangeMailService } from './email-change-mail.service.js';
import { OpenLinksService } from './open-links.service.js';
import type { ListSessionsQuery } from './dto/session.dto.js';
import type { Session } from './session.entity.js';
import { SessionsService } from './sessions.service.js';

/** Account changes that affect sessions. */
@Injectable()
export class UserSessionsService {
  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly links: OpenLinksService,
    private readonly mail: EmailChangeMailService,
  ) {}

  /**
   * For admins. Throws UserNotFound, LastAdmin for a change that would leave no active admin, EmailNotChangeable, EmailTaken,
   * and ForbiddenException if the caller was demoted meanwhile.
   */
  update(caller: Pick<Principal, 'id'>, id: string, changes: UserChanges): Promise<User> {
    const { email } = changes;
    return this.database.transaction(async (tx) => {
      if (!(await lockForAdmin(tx, caller.id, id))) throw new ForbiddenException();
      return email === undefined
        ? this.updateIn(tx, caller, id, changes)
        : this.move(tx, caller, id, { ...changes, email });
    });
  }

  /** A change with a new address, of which both addresses receive an email. Throws as `update` does. */
  async move(
    tx: EntityManager,
    caller: Pick<Principal, 'id'> | null,
    id: string,
    changes: UserChanges & { email: string },
  ): Promise<User> {
    const before = await this.users.get(id, tx);
    const { email, ...others } = changes;
    if (canonicalEmail(email) === before.email) return this.updateIn(tx, caller, id, others);
    if (before.kind !== 'person') throw new EmailNotChangeable('a service account has no email address');
    if (before.source === 'scim')
      throw new EmailNotChangeable('SCIM manages the email address of this person');
    const holder = await this.users.findByEmail(email, tx);
    if (holder !== null && holder.id !== id) throw new EmailTaken();
    const user = await this.updateIn(tx, caller, id, changes);
    if (user.email !== before.email) await this.mail.enqueue(tx, id, before.email, user.email);
    return user;
  }

  /** As `update`, in a transaction. */
  async updateIn(
    tx: EntityManager,
    caller: Pick<Principal, 'id'> | null,
    id: string,
    changes: UserChanges,
  ): Promise<User> {
    const before = await this.users.find(id, tx);
    const user = await this.users.update(tx, caller, id, changes);
    const isMoved = before !== null && before.email !== user.email;
    // A status that stays must not void the link by which an admin lets the person in again; SCIM voids it by DELETE or POST.
    const isUnchanged = before?.status === 'disabled' && changes.scimDeletedAt === undefined;
    const isDisabled = changes.status === 'disabled' && !isUnchanged;
    // A link that was sent to the former address must not lead into the account.
    if (isMoved || isDisabled) {
      const former = isMoved ? { email: before.email, by: caller?.id ?? null } : undefined;
      await this.links.voidAll(tx, id, former);
    }
    if (isDisabled) {
      await this.sessions.endAll(tx, { userId: id, reason: 'user_disabled', by: caller?.id ?? id });
    }
    return user;
  }

  /** Throws UserNotFound. */
  async sessionsOf(reader: Reader, id: string, page: ListSessionsQuery): Promise<Page<Session>> {
    await this.users.get(id);
    return this.sessions.list(reader, id, page);
  }

  /** Throws UserNotFound. */
  async endSessionsOf(caller: Principal, id: string): Promise<void> {
    await this.users.get(id);
    const ending = { userId: id, reason: 'ended_by_admin', by: caller.id } as const;
    await this.database.transaction((tx) => this.sessions.endAll(tx, ending));
  }
}
