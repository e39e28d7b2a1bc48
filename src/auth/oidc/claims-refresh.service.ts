import { Injectable, Logger } from '@nestjs/common';
import { type EntityManager, IsNull, Not } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { databaseProblem } from '../../core/problems/database-problem.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { setLocal } from '../../core/database/execute.js';
import { InvalidRefreshToken } from '../sessions/sessions.errors.js';
import { idpMethods } from '../sessions/session.entity.js';
import { SessionsService } from '../sessions/sessions.service.js';
import type { IssuedSession } from '../sessions/issued-session.js';
import { IdentityProviderService, type ProviderTokens } from './identity-provider.service.js';
import { IdpAccessService } from './idp-access.service.js';
import { SignInRefused } from './provider.errors.js';
import { UserIdentity } from './user-identity.entity.js';

/** Maximum age of the provider's claims. */
const FRESH_SECONDS = 12 * 3600;
/** Minimum time between two attempts for a user: prevents concurrent requests and retries against a failing provider. */
const PAUSE_SECONDS = 300;
/** Claims that cannot be applied within it are applied by a later renewal. */
const LOCK_TIMEOUT = '200ms';

type Due = Pick<UserIdentity, 'id' | 'userId' | 'refreshToken'> & { sub: string; checkingAt: Date };

/** Refreshes the provider's claims, with its refresh token, when a session is renewed and the claims are too old. */
@Injectable()
export class ClaimsRefreshService {
  private readonly logger = new Logger(ClaimsRefreshService.name);

  constructor(
    private readonly database: DatabaseService,
    private readonly provider: IdentityProviderService,
    private readonly access: IdpAccessService,
    private readonly sessions: SessionsService,
    private readonly clock: Clock,
    private readonly audit: AuditService,
  ) {}

  /**
   * Throws InvalidRefreshToken when the session has ended meanwhile: because the provider refuses and the session was opened
   * through it, or otherwise, such as by an admin who unlinks the identity. A busy database fails no renewal, as in
   * `SessionRefreshService`.
   */
  async run(session: IssuedSession): Promise<void> {
    if (!this.provider.isConfigured) return;
    try {
      await this.refreshDue(session);
    } catch (error) {
      if (error instanceof InvalidRefreshToken || databaseProblem(error) === undefined) throw error;
      this.logger.warn({ msg: 'the claims could not be refreshed; a later renewal retries', err: error });
    }
  }

  private async refreshDue(session: IssuedSession): Promise<void> {
    const due = await this.claim(session.userId);
    if (due === undefined) return;
    await this.refresh(due, session);
    if (await this.sessions.hasEnded(this.database.manager, session.id)) throw new InvalidRefreshToken();
  }

  private async refresh(due: Due, session: IssuedSession): Promise<void> {
    const result = await this.renewClaims(due);
    if (result === 'unknown') return;
    if (result === 'refused') return this.refuse(due, session);
    try {
      await this.apply(due, result);
    } catch (error) {
      if (error instanceof SignInRefused) await this.refuse(due, session);
      else await this.postpone(due, result, error);
    }
  }

  /** A change of groups can hold the locks for long: the session is renewed, and a later renewal applies the claims. */
  private async postpone(due: Due, { refreshToken }: ProviderTokens, error: unknown): Promise<void> {
    if (databaseProblem(error) === undefined) throw error;
    this.logger.warn({ msg: 'the refreshed claims could not be applied', err: error });
    await this.database.transaction((tx) => this.storeRefreshToken(tx, due, refreshToken));
  }

  /** Claims of a sign-in meanwhile are newer and stay. Throws SignInRefused for claims with which a sign-in would be refused. */
  private async apply(due: Due, { refreshToken, ...tokens }: ProviderTokens): Promise<void> {
    await this.database.transaction(async (tx) => {
      await setLocal(tx, 'lock_timeout', LOCK_TIMEOUT);
      const identity = await lockUnchanged(tx, due);
      await this.storeRefreshToken(tx, due, refreshToken);
      if (identity !== null) await this.access.apply(tx, identity, { ...tokens, refreshToken: undefined });
    });
  }

  /** The provider may have replaced its refresh token. */
  private async storeRefreshToken(
    tx: EntityManager,
    { id, refreshToken: used }: Due,
    token: string | undefined,
  ): Promise<void> {
    if (token !== undefined && used !== null) await this.access.storeRefreshToken(tx, { id, used }, token);
  }

  /**
   * Returns the identity to exactly one of several concurrent renewals, undefined to the others and when no refresh is due.
   * Waits for no change that holds the identity, and locks nothing that is not due.
   */
  private async claim(userId: string): Promise<Due | undefined> {
    const newest = await this.database.manager.findOne(UserIdentity, {
      where: { userId, sub: Not(IsNull()), evaluatedAt: Not(IsNull()) },
      order: { evaluatedAt: 'DESC' },
    });
    if (newest === null || !this.isDue(newest)) return undefined;
    return this.database.transaction(async (tx) => {
      const identity = await tx
        .createQueryBuilder(UserIdentity, 'identity')
        .addSelect('identity.refreshToken')
        .where('identity.id = :id', { id: newest.id })
        .setLock('pessimistic_write')
        .setOnLocked('skip_locked')
        .getOne();
      if (identity === null || !this.isDue(identity)) return undefined;
      const checkingAt = this.clock.now();
      await tx.update(UserIdentity, { id: identity.id }, { checkingAt });
      return { ...identity, checkingAt } as Due;
    });
  }

  /** A refresh that did not complete, or brought no userinfo, is repeated after the pause. */
  private isDue({ evaluatedAt, checkingAt }: UserIdentity): boolean {
    if (checkingAt !== null) return checkingAt <= this.clock.in(-PAUSE_SECONDS);
    return evaluatedAt !== null && evaluatedAt <= this.clock.in(-FRESH_SECONDS);
  }

  private async renewClaims(due: Due): Promise<ProviderTokens | 'refused' | 'unknown'> {
    const refreshToken = this.access.refreshTokenOf(due);
    if (refreshToken === undefined) return 'refused';
    try {
      return await this.provider.renew(due.sub, refreshToken);
    } catch (error) {
      if (error instanceof SignInRefused) return 'refused';
      this.logger.warn({ msg: 'the claims could not be refreshed from the identity provider', err: error });
      return 'unknown';
    }
  }

  /**
   * Keeps the grants: a refused renewal does not prove that a claim was removed. Only sessions opened through the provider end,
   * and none after a sign-in meanwhile.
   */
  private async refuse(due: Due, { id: sessionId }: IssuedSession): Promise<void> {
    const { id, userId } = due;
    await this.database.transaction(async (tx) => {
      if ((await lockUnchanged(tx, due)) === null) return;
      await tx.update(UserIdentity, { id }, { refreshToken: null, checkingAt: null });
      const ending = { userId, methods: idpMethods, reason: 'provider_refused', by: userId } as const;
      await this.sessions.endAll(tx, ending);
      if (await this.sessions.hasEnded(tx, sessionId)) await this.record(tx, userId, sessionId);
    });
  }

  private record(tx: EntityManager, userId: string, sessionId: string): Promise<void> {
    return this.audit.record(tx, {
      action: 'sign_in_failed',
      outcome: 'denied',
      actorId: userId,
      target: { type: 'session', id: sessionId },
      details: { method: 'oidc', reason: 'provider_refused' },
    });
  }
}

/** Locks the identity. Null if it was unlinked, or a sign-in has applied newer claims, since the refresh began. */
const lockUnchanged = (tx: EntityManager, { id, checkingAt }: Due): Promise<UserIdentity | null> =>
  tx.findOne(UserIdentity, { where: { id, checkingAt }, lock: { mode: 'pessimistic_write' } });
