import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../core/clock.js';
import type { Principal } from '../core/http/principal.js';
import { CacheInvalidationService, type Keys } from '../core/database/cache-invalidation.service.js';
import { AccountAcceptanceService } from '../invitations/account-acceptance.service.js';
import type { AccessClaims } from './access-tokens.service.js';
import { type CurrentSession, SessionsService } from './sessions/sessions.service.js';

const MAX_USERS = 10_000;
const MAX_AGE_SECONDS = 5;

/** Of an access token, or of the caller of a request. */
type SessionClaims = Pick<AccessClaims, 'sub' | 'sid'>;

interface Entry {
  session: CurrentSession;
  loadedAt: Date;
}

/**
 * Resolves the principal of a session. Entries are cached until the user's rights change: invalidated at once on the
 * replica that makes the change, within a second on the others, and within 5 s after a change that is not published,
 * such as direct SQL. While a replica cannot read the epochs, it reads the database for every request; a busy event loop
 * does not count as that. See docs/decisions/principal-cache.md.
 */
@Injectable()
export class PrincipalsService {
  /** By user id, then by session id: a change affects all sessions of a user. */
  private readonly users = new LRUCache<string, Map<string, Entry>>({ max: MAX_USERS });
  private generation = 0;

  constructor(
    private readonly sessions: SessionsService,
    private readonly invitations: AccountAcceptanceService,
    private readonly changes: CacheInvalidationService,
    private readonly clock: Clock,
  ) {
    changes.on('rights', (userIds) => this.invalidate(userIds));
  }

  /** Null when the session has ended or the user is not active. */
  async resolve(claims: SessionClaims): Promise<Principal | null> {
    const session = this.cached(claims) ?? (await this.load(claims));
    return session !== null && session.expiresAt > this.clock.now() ? session.principal : null;
  }

  private cached({ sub, sid }: SessionClaims): CurrentSession | undefined {
    const entry = this.changes.isCurrent ? this.users.get(sub)?.get(sid) : undefined;
    return entry !== undefined && this.isFresh(entry) ? entry.session : undefined;
  }

  private isFresh({ loadedAt }: Entry): boolean {
    return this.clock.isWithin(loadedAt, MAX_AGE_SECONDS);
  }

  private async load(claims: SessionClaims): Promise<CurrentSession | null> {
    const { generation } = this;
    const loadedAt = this.clock.now();
    const session = await this.sessions.current(claims);
    if (session?.isInvited === true) this.invitations.begin(session.principal.id);
    // A row read before an invalidation must not be cached after it.
    const isUnchanged = generation === this.generation && this.changes.isCurrent;
    if (session !== null && isUnchanged) this.store(claims, { session, loadedAt });
    return session;
  }

  private store({ sub, sid }: SessionClaims, entry: Entry): void {
    const sessions = this.users.get(sub) ?? new Map<string, Entry>();
    sessions.delete(sid);
    // Insertion order, so stale entries come first. A service account opens a session per token, so they accumulate.
    for (const [id, each] of sessions) {
      if (this.isFresh(each)) break;
      sessions.delete(id);
    }
    this.users.set(sub, sessions.set(sid, entry));
  }

  private invalidate(userIds: Keys): void {
    this.generation += 1;
    if (userIds === undefined) this.users.clear();
    else for (const id of userIds) this.users.delete(id);
  }
}
