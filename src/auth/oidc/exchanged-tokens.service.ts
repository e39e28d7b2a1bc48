import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../core/clock.js';
import { Config } from '../../core/config/config.js';
import { deleteExpired } from '../../core/database/delete-batch.js';
import { type IssuedSession, secondsBetween } from '../sessions/issued-session.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { ExchangedToken } from './exchanged-token.entity.js';
import { IdentityProviderService } from './identity-provider.service.js';
import { SubjectTokenReused } from './provider.errors.js';
import type { SubjectToken } from './subject-tokens.service.js';

/** Allows each subject token to open one session, across all replicas. */
@Injectable()
export class ExchangedTokensService {
  constructor(
    private readonly provider: IdentityProviderService,
    private readonly sessions: SessionsService,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Opens the session of this token, or returns the same one within the grace period (two workers, a lost response).
   * Throws SubjectTokenReused. The caller holds the lock on the user's identity, which serializes exchanges of one
   * token.
   */
  async open(tx: EntityManager, token: SubjectToken, userId: string): Promise<IssuedSession> {
    if (this.provider.settings.tokenExchange.allowReuse) return this.sessions.open(tx, userId, 'exchange');
    const earlier = await tx.findOneBy(ExchangedToken, { hash: token.hash });
    if (earlier !== null) return this.repeat(tx, earlier, userId);
    await deleteExpired(tx, ExchangedToken, this.clock.now());
    const session = await this.sessions.open(tx, userId, 'exchange');
    await tx.insert(ExchangedToken, {
      hash: token.hash,
      sessionId: session.id,
      exchangedAt: this.clock.now(),
      expiresAt: token.expiresAt,
    });
    return session;
  }

  private async repeat(tx: EntityManager, earlier: ExchangedToken, userId: string): Promise<IssuedSession> {
    const age = secondsBetween(earlier.exchangedAt, this.clock.now());
    const session =
      age < this.config.limits.refreshGraceSeconds
        ? await this.sessions.repeat(tx, userId, earlier.sessionId)
        : null;
    if (session === null) throw new SubjectTokenReused();
    return session;
  }
}
