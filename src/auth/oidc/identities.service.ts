import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { lockName } from '../../core/database/locks.js';
import type { Principal } from '../../core/http/principal.js';
import { UserSessionsService } from '../sessions/user-sessions.service.js';
import { EmailNotChangeable, EmailTaken } from '../../users/users.errors.js';
import { IdentityProviderService, type ProviderTokens } from './identity-provider.service.js';
import type { ProviderClaims } from './provider-claims.js';
import { UserIdentity } from './user-identity.entity.js';

export type Subject = Pick<UserIdentity, 'iss' | 'sub' | 'tid' | 'oid'>;

/** Links between users and subjects of the identity provider. */
@Injectable()
export class IdentitiesService {
  private readonly logger = new Logger(IdentitiesService.name);

  constructor(
    @InjectRepository(UserIdentity) private readonly identities: Repository<UserIdentity>,
    private readonly clock: Clock,
    private readonly audit: AuditService,
    private readonly provider: IdentityProviderService,
    private readonly accounts: UserSessionsService,
  ) {}

  list(userId: string): Promise<UserIdentity[]> {
    return this.identities.find({ where: { userId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  isLinked(tx: EntityManager, userId: string): Promise<boolean> {
    return tx.existsBy(UserIdentity, { userId });
  }

  /** Returns the identity of this subject, or null. Concurrent links and unlinks of it wait until the transaction ends. */
  async lock(tx: EntityManager, { iss, sub, tid, oid }: Subject): Promise<UserIdentity | null> {
    const key = sub === null ? `identity:${tid}:${oid}` : `identity:${iss}:${sub}`;
    await lockName(tx, key);
    const lock = { mode: 'pessimistic_write' } as const;
    const bySubject = sub === null ? null : await tx.findOne(UserIdentity, { where: { iss, sub }, lock });
    if (bySubject !== null || tid === null || oid === null) return bySubject;
    return tx.findOne(UserIdentity, { where: { tid, oid }, lock });
  }

  async link(
    tx: EntityManager,
    userId: string,
    { iss, sub, tid, oid }: Subject,
    by: Pick<Principal, 'id'>,
  ): Promise<UserIdentity> {
    const identity = tx.create(UserIdentity, {
      id: uuidv7(),
      userId,
      iss,
      sub,
      tid,
      oid,
      email: null,
      refreshToken: null,
      providedRole: null,
      providedAttributes: {},
      evaluatedAt: null,
      checkingAt: null,
      createdAt: this.clock.now(),
      lastSignInAt: null,
    });
    await tx.insert(UserIdentity, identity);
    await this.record(tx, 'identity_linked', identity, by);
    return identity;
  }

  async unlink(tx: EntityManager, identity: UserIdentity, by: Pick<Principal, 'id'>): Promise<void> {
    await tx.delete(UserIdentity, { id: identity.id });
    await this.record(tx, 'identity_unlinked', identity, by);
  }

  /**
   * Also stores the subject of a user whom an admin linked by Entra IDs, and the Entra IDs of one linked by subject. An admin
   * may have linked both: to one user, then this identity takes the place of the other; to two, then the subject counts and
   * the other keeps its IDs. Returns the identity with what it now provides.
   *
   * An exchanged token does not replace the subject: with Entra it can be that of another application, and a refresh of the
   * claims compares the subject of the sign-in.
   */
  async recordSignIn(
    tx: EntityManager,
    identity: UserIdentity,
    { claims: { sub, tid, oid }, isExchanged = false }: ProviderTokens,
  ): Promise<UserIdentity> {
    const { id, userId } = identity;
    const other = await this.findOther(tx, identity, { tid, oid });
    const isTaken = other !== null && other.userId !== userId;
    const provided = other === null || isTaken ? {} : await this.replace(tx, other, identity);
    const subject = isExchanged ? (identity.sub ?? sub) : sub;
    const ids = { sub: subject, ...(!isTaken && { tid, oid }) };
    await tx.update(UserIdentity, { id }, { ...ids, ...provided, lastSignInAt: this.clock.now() });
    return { ...identity, ...provided };
  }

  /** With OIDC_UPDATE_EMAIL the account takes the verified address of the provider, unless another user has it. */
  async followEmail(
    tx: EntityManager,
    { userId }: UserIdentity,
    { verifiedEmail: email }: ProviderClaims,
  ): Promise<void> {
    if (!this.provider.settings.updateEmail || email === null) return;
    try {
      await this.accounts.move(tx, null, userId, { email });
    } catch (error) {
      if (!(error instanceof EmailTaken || error instanceof EmailNotChangeable)) throw error;
      this.logger.warn({
        msg: 'the email address of the provider was not applied',
        user_id: userId,
        err: error,
      });
    }
  }

  /** Another identity with these Entra IDs. */
  private async findOther(
    tx: EntityManager,
    identity: UserIdentity,
    { tid, oid }: Pick<ProviderClaims, 'tid' | 'oid'>,
  ): Promise<UserIdentity | null> {
    if (tid === null || oid === null || (identity.tid === tid && identity.oid === oid)) return null;
    return tx.findOne(UserIdentity, { where: { tid, oid }, lock: { mode: 'pessimistic_write' } });
  }

  /** Returns what both provided: the rules are evaluated for one only. */
  private async replace(
    tx: EntityManager,
    other: UserIdentity,
    { userId, providedRole, providedAttributes }: UserIdentity,
  ): Promise<Pick<UserIdentity, 'providedRole' | 'providedAttributes'>> {
    await this.unlink(tx, other, { id: userId });
    return {
      providedRole: providedRole ?? other.providedRole,
      providedAttributes: { ...other.providedAttributes, ...providedAttributes },
    };
  }

  private record(
    tx: EntityManager,
    action: 'identity_linked' | 'identity_unlinked',
    { id, userId, iss }: UserIdentity,
    by: Pick<Principal, 'id'>,
  ): Promise<void> {
    const target = { type: 'user' as const, id: userId };
    return this.audit.record(tx, { action, actorId: by.id, target, details: { identity_id: id, iss } });
  }
}
