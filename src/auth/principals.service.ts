import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../common/clock.js';
import type { Principal } from '../common/principal.js';
import { Changes, type Keys } from '../database/changes.service.js';
import { AccountInvitations } from '../invitations/account-invitations.service.js';
import type { AccessClaims } from './access-tokens.service.js';
import { type CurrentSession, SessionsService } from './sessions.service.js';

const MOST_PEOPLE = 10_000;

/**
 * Who holds a session, remembered until something about that person's rights changes: at once on the replica that
 * changes it, within a second on the others. While a replica cannot know, it asks the database each time.
 */
@Injectable()
export class Principals {
  /** By person, then by session; a person has few sessions, and loses them all at once. */
  private readonly people = new LRUCache<string, Map<string, CurrentSession>>({ max: MOST_PEOPLE });
  private generation = 0;

  constructor(
    private readonly sessions: SessionsService,
    private readonly invitations: AccountInvitations,
    private readonly changes: Changes,
    private readonly clock: Clock,
  ) {
    changes.on('rights', (keys) => this.forget(keys));
  }

  /** Null when the session or the person no longer may. */
  async of(claims: AccessClaims): Promise<Principal | null> {
    const session = this.remembered(claims) ?? (await this.look(claims));
    return session !== null && this.isLive(session) ? session.principal : null;
  }

  /** Without the database: undefined when it would have to be asked, or the session is over. */
  known(claims: AccessClaims): Principal | undefined {
    const session = this.remembered(claims);
    return session !== undefined && this.isLive(session) ? session.principal : undefined;
  }

  private remembered({ sub, sid }: AccessClaims): CurrentSession | undefined {
    return this.changes.isCurrent ? this.people.get(sub)?.get(sid) : undefined;
  }

  private isLive({ expiresAt }: CurrentSession): boolean {
    return expiresAt > this.clock.now();
  }

  private async look(claims: AccessClaims): Promise<CurrentSession | null> {
    const { generation } = this;
    const found = await this.sessions.current(claims);
    if (found?.isInvited === true) await this.invitations.accept(found.principal.id);
    // What was read before a change is not remembered after it.
    return found !== null && generation === this.generation ? this.remember(found) : found;
  }

  /** Of several that were looked up at once, the first: what is remembered for a principal is for all of them. */
  private remember(session: CurrentSession): CurrentSession {
    const { id, sessionId } = session.principal;
    const sessions = this.people.get(id) ?? new Map<string, CurrentSession>();
    const known = this.changes.isCurrent ? sessions.get(sessionId) : undefined;
    this.people.set(id, sessions.set(sessionId, known ?? session));
    return known ?? session;
  }

  private forget(keys: Keys): void {
    this.generation += 1;
    if (keys === undefined) this.people.clear();
    else for (const id of keys) this.people.delete(id);
  }
}
