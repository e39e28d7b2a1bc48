import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../core/http/principal.js';
import { DatabaseService } from '../core/database/database.service.js';
import type { User } from '../users/user.entity.js';
import type { UserChanges } from '../users/user-changes.js';
import { UsersService } from '../users/users.service.js';
import { OpenLinksService } from './open-links.service.js';
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
  ) {}

  /** Throws UserNotFound, and LastAdmin for a change that would leave no active admin. */
  update(caller: Pick<Principal, 'id'>, id: string, changes: UserChanges): Promise<User> {
    return this.database.transaction((tx) => this.updateIn(tx, caller, id, changes));
  }

  /** As `update`, in a transaction. */
  async updateIn(
    tx: EntityManager,
    caller: Pick<Principal, 'id'>,
    id: string,
    changes: UserChanges,
  ): Promise<User> {
    const before = changes.email === undefined ? null : await this.users.find(id, tx);
    const user = await this.users.update(tx, caller, id, changes);
    const isMoved = before !== null && before.email !== user.email;
    // A link that was sent to the former address must not lead into the account.
    if (isMoved || changes.status === 'disabled') await this.links.voidAll(tx, id);
    if (changes.status === 'disabled') {
      await this.sessions.endAll(tx, { userId: id, reason: 'user_disabled', by: caller.id });
    }
    return user;
  }

  /** Throws UserNotFound. */
  async sessionsOf(id: string): Promise<Session[]> {
    await this.users.get(id);
    return this.sessions.list(id);
  }

  /** Throws UserNotFound. */
  async endSessionsOf(caller: Principal, id: string): Promise<void> {
    await this.users.get(id);
    const ending = { userId: id, reason: 'ended_by_admin', by: caller.id } as const;
    await this.database.transaction((tx) => this.sessions.endAll(tx, ending));
  }
}
