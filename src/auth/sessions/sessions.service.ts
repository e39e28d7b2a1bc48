import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, MoreThan, Not, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import type { Principal } from '../../core/http/principal.js';
import { Cursors, type Reader } from '../../core/lists/cursors.js';
import { listPage, type Page, selectedBy } from '../../core/lists/pagination.js';
import { requestContext } from '../../core/http/request-context.js';
import { CacheInvalidationService } from '../../core/database/cache-invalidation.service.js';
import { type ListSessionsQuery, sessionSortKeys } from './dto/session.dto.js';
import { InvalidCredentials, SessionNotFound } from './sessions.errors.js';
import { ACCESS_TOKEN_SECONDS, IDLE_SECONDS, issueSession, type IssuedSession } from './issued-session.js';
import { lockActiveUser } from '../../users/users.queries.js';
import { RefreshTokensService } from './refresh-tokens.service.js';
import { Session, type SessionMethod } from './session.entity.js';
import {
  type EndReason,
  evictOldest,
  findOpenSession,
  insertSession,
  voidLoginCodes,
} from './sessions.queries.js';

const ABSOLUTE_SECONDS = 30 * 86_400;

interface EndingAll {
  userId: string;
  /** Id of the session that stays active. */
  except?: string;
  /** Only sessions opened by these methods. */
  methods?: readonly SessionMethod[];
  reason: EndReason;
  /** Id of the user who ends it. */
  by: string;
}

interface Ending extends Omit<EndingAll, 'except' | 'methods'> {
  id: string;
}

export interface CurrentSession {
  expiresAt: Date;
  principal: Principal;
  /** Whether the user has an open invitation. */
  isInvited: boolean;
}

@Injectable()
export class SessionsService {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly tokens: RefreshTokensService,
    private readonly clock: Clock,
    private readonly audit: AuditService,
    private readonly changes: CacheInvalidationService,
    private readonly cursors: Cursors,
  ) {}

  /** Throws InvalidCredentials when the user is not active. */
  async open(tx: EntityManager, userId: string, method: SessionMethod): Promise<IssuedSession> {
    if (!(await lockActiveUser(tx, userId))) throw new InvalidCredentials();
    return this.openLocked(tx, userId, method);
  }

  /** Requires that an earlier statement of this transaction has verified that the user is active and locked the row. */
  async openLocked(tx: EntityManager, userId: string, method: SessionMethod): Promise<IssuedSession> {
    const now = this.clock.now();
    const request = requestContext();
    const session = tx.create(Session, {
      id: uuidv7(),
      userId,
      method,
      salt: randomBytes(32),
      counter: 0,
      ip: request?.ip ?? '',
      userAgent: request?.userAgent ?? '',
      createdAt: now,
      rotatedAt: now,
      lastUsedAt: now,
      expiresAt: this.clock.in(method === 'client' ? ACCESS_TOKEN_SECONDS : ABSOLUTE_SECONDS),
    });
    const [evicted] = await Promise.all([
      // Sessions of service accounts end with their tokens; eviction would invalidate tokens that are still in use.
      method !== 'client' && evictOldest(tx, userId, { now, idle: this.clock.in(-IDLE_SECONDS) }),
      insertSession(tx, session),
      this.audit.record(tx, {
        action: 'signed_in',
        actorId: userId,
        target: { type: 'session', id: session.id },
        details: { method },
      }),
    ]);
    if (evicted) this.changes.publish(tx, 'rights', userId);
    return issueSession(session, this.tokens, now);
  }

  /** The session as `open` returned it, for a repeated request; null once it has ended. Throws InvalidCredentials. */
  async repeat(tx: EntityManager, userId: string, id: string): Promise<IssuedSession | null> {
    if (!(await lockActiveUser(tx, userId))) throw new InvalidCredentials();
    const session = await tx
      .createQueryBuilder(Session, 'session')
      .addSelect('session.salt')
      .where('session.id = :id AND session.userId = :userId AND session.endedAt IS NULL', { id, userId })
      .getOne();
    return session && issueSession(session, this.tokens, this.clock.now());
  }

  /** The user's usable sessions. */
  list(reader: Reader, userId: string, page: ListSessionsQuery): Promise<Page<Session>> {
    const now = this.clock.now();
    const usable = this.sessions
      .createQueryBuilder('session')
      .where('session.userId = :userId AND session.endedAt IS NULL', { userId })
      .andWhere('session.expiresAt > :now AND session.lastUsedAt > :idle', {
        now,
        idle: this.clock.in(-IDLE_SECONDS),
      });
    return listPage(
      selectedBy(usable),
      { reader, ...page, keys: sessionSortKeys, filters: { userId } },
      this.cursors,
    );
  }

  /** Ends one session of this user. Throws SessionNotFound, also for a session of another user. */
  async end(tx: EntityManager, { userId, id, reason, by }: Ending): Promise<void> {
    const { affected } = await tx.update(
      Session,
      { id, userId, endedAt: IsNull() },
      { endedAt: this.clock.now(), endReason: reason },
    );
    if (affected === 0) throw new SessionNotFound();
    this.changes.publish(tx, 'rights', userId);
    await this.recordEnd(tx, by, { type: 'session', id }, reason);
  }

  /**
   * Ends the session of this refresh token, if there is one. Consumes no token, so that no rate limit prevents a sign-out,
   * and accepts replaced ones: they only end the session, as their reuse does.
   */
  async endByToken(tx: EntityManager, token: string): Promise<void> {
    const given = this.tokens.decode(token);
    if (given === undefined) return;
    const session = await tx
      .createQueryBuilder(Session, 'session')
      .addSelect('session.salt')
      .where('session.id = :id AND session.endedAt IS NULL', { id: given.sessionId })
      .setLock('pessimistic_write')
      .getOne();
    if (session === null || !this.tokens.isGenuine(given, session.salt)) return;
    const { id, userId } = session;
    await this.end(tx, { userId, id, reason: 'signed_out', by: userId });
  }

  /**
   * Ends all matching sessions of this user and voids login codes, which could open new ones. Leaves out expired sessions: a
   * service account may have many.
   */
  async endAll(tx: EntityManager, { userId, except, methods, reason, by }: EndingAll): Promise<void> {
    await lockActiveUser(tx, userId);
    await voidLoginCodes(tx, userId);
    const now = this.clock.now();
    const { affected } = await tx.update(
      Session,
      {
        userId,
        endedAt: IsNull(),
        expiresAt: MoreThan(now),
        ...(except !== undefined && { id: Not(except) }),
        ...(methods !== undefined && { method: In(methods) }),
      },
      { endedAt: now, endReason: reason },
    );
    if (affected === 0) return;
    this.changes.publish(tx, 'rights', userId);
    await this.recordEnd(tx, by, { type: 'user', id: userId }, reason, affected);
  }

  /** The session and principal of an access token; null when the session has ended or the user is not active. */
  async current({ sid, sub }: { sid: string; sub: string }): Promise<CurrentSession | null> {
    const row = await findOpenSession(this.sessions.manager, sid, sub, this.clock.now());
    if (row === undefined) return null;
    const { email, role, scopes, is_service: isService, expires_at: expiresAt, is_invited: isInvited } = row;
    const principal = Object.freeze({ id: sub, sessionId: sid, email, role, scopes, isService });
    return { expiresAt, isInvited, principal };
  }

  /** Whether the session has ended, or is deleted, as this transaction sees it. */
  async hasEnded(tx: EntityManager, id: string): Promise<boolean> {
    return !(await tx.existsBy(Session, { id, endedAt: IsNull() }));
  }

  private recordEnd(
    tx: EntityManager,
    by: string,
    target: { type: 'session' | 'user'; id: string },
    reason: EndReason,
    sessions = 1,
  ): Promise<void> {
    return this.audit.record(tx, {
      action: 'signed_out',
      actorId: by,
      target,
      details: { reason, sessions },
    });
  }
}
