import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { CacheInvalidationService } from '../../core/database/cache-invalidation.service.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { databaseProblem } from '../../core/problems/database-problem.js';
import { InvalidRefreshToken } from './sessions.errors.js';
import { IDLE_SECONDS, type IssuedSession, issueSession, secondsBetween } from './issued-session.js';
import { TokenLimitsService } from '../../platform/rate-limit/token-limits.service.js';
import { type RefreshTokenParts, RefreshTokensService } from './refresh-tokens.service.js';
import { isActiveUser } from '../../users/users.queries.js';
import { Session } from './session.entity.js';

interface Renewed {
  session: IssuedSession;
  /** Within the grace period: no token was consumed. */
  repeated: boolean;
}

@Injectable()
export class SessionRefreshService {
  private readonly logger = new Logger(SessionRefreshService.name);

  constructor(
    private readonly limits: TokenLimitsService,
    private readonly database: DatabaseService,
    private readonly tokens: RefreshTokensService,
    private readonly clock: Clock,
    private readonly audit: AuditService,
    private readonly changes: CacheInvalidationService,
  ) {}

  /**
   * Exchanges a refresh token for its successor. Within a grace period the previous token returns the same successor
   * (two tabs, a lost response), unless that has been used; any older token was stolen or copied and ends the session.
   */
  async refresh(token: string): Promise<IssuedSession> {
    const given = this.tokens.decode(token);
    await this.limits.requireMayRefresh(given?.sessionId);
    const renewed = given === undefined ? null : await this.renew(given);
    if (renewed === null) {
      await this.limits.recordRefresh();
      throw new InvalidRefreshToken();
    }
    if (!renewed.repeated) await this.count(renewed.session);
    return renewed.session;
  }

  /** A busy database fails no renewal: the client would never receive the token that replaces its own. */
  private async count({ id }: IssuedSession): Promise<void> {
    try {
      await this.limits.recordRefresh(id);
    } catch (error) {
      if (databaseProblem(error) === undefined) throw error;
      this.logger.warn({ msg: 'a renewal was not counted', err: error });
    }
  }

  private renew(given: RefreshTokenParts): Promise<Renewed | null> {
    return this.database.transaction(async (tx) => {
      const session = await this.lockUsable(tx, given.sessionId);
      if (session === null || !this.tokens.isGenuine(given, session.salt)) return null;
      // Above the stored one only after a restore or failover that lost rotations: the service signed it for this session.
      if (given.counter >= session.counter) {
        return { session: await this.rotate(tx, session, given.counter + 1), repeated: false };
      }
      const sinceRotation = secondsBetween(session.rotatedAt, this.clock.now());
      if (given.counter === session.counter - 1 && sinceRotation < this.tokens.graceSeconds) {
        return { session: issueSession(session, this.tokens, this.clock.now()), repeated: true };
      }
      await this.endReused(tx, session);
      return null;
    });
  }

  private async lockUsable(tx: EntityManager, id: string): Promise<Session | null> {
    const now = this.clock.now();
    return tx
      .createQueryBuilder(Session, 'session')
      .addSelect('session.salt')
      .where('session.id = :id AND session.endedAt IS NULL AND session.expiresAt > :now', { id, now })
      .andWhere('session.lastUsedAt > :idle', { idle: this.clock.in(-IDLE_SECONDS) })
      .andWhere(isActiveUser('session.user_id'))
      .setLock('pessimistic_write')
      .getOne();
  }

  private async rotate(tx: EntityManager, session: Session, counter: number): Promise<IssuedSession> {
    const now = this.clock.now();
    await tx.update(Session, { id: session.id }, { counter, rotatedAt: now, lastUsedAt: now });
    await this.audit.record(tx, {
      action: 'token_refreshed',
      actorId: session.userId,
      target: { type: 'session', id: session.id },
    });
    return issueSession({ ...session, counter, rotatedAt: now, lastUsedAt: now }, this.tokens, now);
  }

  /** Committed although the request fails. */
  private async endReused(tx: EntityManager, session: Session): Promise<void> {
    await tx.update(
      Session,
      { id: session.id },
      { endedAt: this.clock.now(), endReason: 'refresh_token_reused' },
    );
    this.changes.publish(tx, 'rights', session.userId);
    await this.audit.record(tx, {
      action: 'refresh_token_reused',
      outcome: 'denied',
      actorId: session.userId,
      target: { type: 'session', id: session.id },
    });
  }
}
