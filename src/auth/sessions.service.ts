import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Audit } from '../audit/audit.service.js';
import { Clock } from '../common/clock.js';
import type { PlatformRole, Principal } from '../common/principal.js';
import { requestContext } from '../common/request-context.js';
import { Database } from '../database/database.service.js';
import type { AccessClaims } from './access-tokens.service.js';
import { InvalidRefreshToken } from './auth.errors.js';
import { RefreshTokens } from './refresh-tokens.service.js';
import { Session, type SessionMethod } from './session.entity.js';

const DAY = 86_400;
const ABSOLUTE_SECONDS = 30 * DAY;
export const IDLE_SECONDS = 7 * DAY;
const GRACE_SECONDS = 10;

/** A session with the refresh token that continues it, and how long that one is good for if nothing happens. */
export interface OpenSession {
  id: string;
  userId: string;
  refreshToken: string;
  refreshExpiresIn: number;
}

interface PrincipalRow {
  email: string;
  role: PlatformRole;
}

@Injectable()
export class SessionsService {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly database: Database,
    private readonly tokens: RefreshTokens,
    private readonly clock: Clock,
    private readonly audit: Audit,
  ) {}

  async open(tx: EntityManager, userId: string, method: SessionMethod): Promise<OpenSession> {
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
      expiresAt: this.clock.in(ABSOLUTE_SECONDS),
    });
    await tx.insert(Session, session);
    await this.audit.record(tx, {
      action: 'signed_in',
      actorId: userId,
      target: { type: 'session', id: session.id },
      details: { method },
    });
    return this.opened(session);
  }

  /** Who holds this access token now; null when the session or the person no longer may. */
  async principalOf({ sid, sub }: AccessClaims): Promise<Principal | null> {
    const [row] = await this.sessions.query<PrincipalRow[]>(
      `SELECT u.email, u.role FROM sessions s JOIN users u ON u.id = s.user_id
       WHERE s.id = $1 AND s.user_id = $2 AND s.ended_at IS NULL AND s.expires_at > $3 AND u.status = 'active'`,
      [sid, sub, this.clock.now()],
    );
    return row === undefined ? null : { id: sub, sessionId: sid, ...row };
  }

  /**
   * Trades a refresh token for its successor. The one before the last gets the same successor for a moment (two tabs,
   * a lost answer); anything older was stolen or copied, and ends the session for good.
   */
  async refresh(token: string): Promise<OpenSession> {
    const given = this.tokens.decode(token);
    if (given === undefined) throw new InvalidRefreshToken();
    const renewed = await this.database.transaction(async (tx) => {
      const session = await this.lockUsable(tx, given.sessionId);
      if (session === null || !this.tokens.isGenuine(given, session.salt)) return null;
      if (given.counter === session.counter) return this.rotate(tx, session);
      if (given.counter === session.counter - 1 && this.secondsSince(session.rotatedAt) <= GRACE_SECONDS) {
        return this.opened(session);
      }
      await this.endReused(tx, session);
      return null;
    });
    if (renewed === null) throw new InvalidRefreshToken();
    return renewed;
  }

  private async lockUsable(tx: EntityManager, id: string): Promise<Session | null> {
    const now = this.clock.now();
    return tx
      .createQueryBuilder(Session, 'session')
      .addSelect('session.salt')
      .where('session.id = :id AND session.endedAt IS NULL AND session.expiresAt > :now', { id, now })
      .andWhere('session.lastUsedAt > :idle', { idle: this.clock.in(-IDLE_SECONDS) })
      .andWhere(`EXISTS (SELECT FROM users WHERE users.id = session.user_id AND users.status = 'active')`)
      .setLock('pessimistic_write')
      .getOne();
  }

  private async rotate(tx: EntityManager, session: Session): Promise<OpenSession> {
    const now = this.clock.now();
    const changes = { counter: session.counter + 1, rotatedAt: now, lastUsedAt: now };
    await tx.update(Session, { id: session.id }, changes);
    return this.opened({ ...session, ...changes });
  }

  /** Committed although the request fails. */
  private async endReused(tx: EntityManager, session: Session): Promise<void> {
    await tx.update(
      Session,
      { id: session.id },
      { endedAt: this.clock.now(), endReason: 'refresh_token_reused' },
    );
    await this.audit.record(tx, {
      action: 'refresh_token_reused',
      outcome: 'denied',
      actorId: session.userId,
      target: { type: 'session', id: session.id },
    });
  }

  private opened(session: Session): OpenSession {
    const untilEnd = -this.secondsSince(session.expiresAt);
    return {
      id: session.id,
      userId: session.userId,
      refreshToken: this.tokens.encode(session.id, session.counter, session.salt),
      refreshExpiresIn: Math.floor(Math.min(IDLE_SECONDS, untilEnd)),
    };
  }

  private secondsSince(moment: Date): number {
    return (this.clock.now().getTime() - moment.getTime()) / 1000;
  }
}
