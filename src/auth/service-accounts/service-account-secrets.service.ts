import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, LessThanOrEqual, MoreThan, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { hashOfSecret } from '../../core/crypto/link-secrets.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Principal } from '../../core/http/principal.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { ServiceUsersService } from '../../users/service-users.service.js';
import { ServiceAccountSecret } from './service-account-secret.entity.js';
import { SecretNotFound, ServiceAccountNotFound, TooManySecrets } from './service-accounts.errors.js';

/** Lets secret scanners identify the secret in repositories and logs. */
export const SECRET_PREFIX = 'vsa_';
const DAY = 86_400;
const MINUTE_MS = 60_000;
/** The current secret and its replacement, so that a rotation needs no downtime. */
const MAX_VALID = 2;

export interface NewSecret {
  row: ServiceAccountSecret;
  /** Plain text, available only on creation. */
  secret: string;
}

@Injectable()
export class ServiceAccountSecretsService {
  constructor(
    @InjectRepository(ServiceAccountSecret) private readonly secrets: Repository<ServiceAccountSecret>,
    private readonly serviceUsers: ServiceUsersService,
    private readonly sessions: SessionsService,
    private readonly database: DatabaseService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** Returns the valid secrets of these service accounts, oldest first. */
  list(userIds: string[]): Promise<ServiceAccountSecret[]> {
    const where = { userId: In(userIds), expiresAt: MoreThan(this.clock.now()) };
    return this.secrets.find({ where, order: { createdAt: 'ASC' } });
  }

  /** Throws ServiceAccountNotFound, and TooManySecrets when two are already valid. */
  rotate(caller: Principal, userId: string, days: number): Promise<NewSecret> {
    return this.database.transaction(async (tx) => {
      await this.lock(tx, userId);
      const secret = await this.add(tx, userId, caller.id, days);
      await this.record(tx, 'service_account_rotated', caller, secret.row);
      return secret;
    });
  }

  /** Also ends all sessions of the service account. Throws ServiceAccountNotFound and SecretNotFound. */
  revoke(caller: Principal, userId: string, id: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      await this.lock(tx, userId);
      const { affected } = await tx.delete(ServiceAccountSecret, { id, userId });
      if (affected === 0) throw new SecretNotFound();
      await this.sessions.endAll(tx, { userId, reason: 'secret_revoked', by: caller.id });
      await this.record(tx, 'service_account_secret_revoked', caller, { id, userId });
    });
  }

  /** The caller must hold the lock on the service account's row: concurrent rotations could exceed the maximum. Throws TooManySecrets. */
  async add(tx: EntityManager, userId: string, createdBy: string, days: number): Promise<NewSecret> {
    const createdAt = this.clock.now();
    await tx.delete(ServiceAccountSecret, { userId, expiresAt: LessThanOrEqual(createdAt) });
    if ((await tx.countBy(ServiceAccountSecret, { userId })) >= MAX_VALID) throw new TooManySecrets();
    const secret = SECRET_PREFIX + randomBytes(32).toString('base64url');
    const row = tx.create(ServiceAccountSecret, {
      id: uuidv7(),
      userId,
      hash: hashOfSecret(secret),
      createdBy,
      createdAt,
      expiresAt: this.clock.in(days * DAY),
      lastUsedAt: null,
    });
    await tx.insert(ServiceAccountSecret, row);
    return { row, secret };
  }

  async removeAll(tx: EntityManager, userId: string): Promise<void> {
    await tx.delete(ServiceAccountSecret, { userId });
  }

  /** Returns the service account's id, or null when the secret is invalid or the account is not active; records the use. */
  async use(tx: EntityManager, clientId: string, secret: string): Promise<string | null> {
    const now = this.clock.now();
    const known = await tx.findOneBy(ServiceAccountSecret, { hash: hashOfSecret(secret) });
    if (known === null || known.userId !== clientId || known.expiresAt <= now) return null;
    if (!(await this.serviceUsers.recordSignIn(tx, clientId))) return null;
    const { affected } = await tx.update(ServiceAccountSecret, { id: known.id }, { lastUsedAt: now });
    // A revocation for which the sign-in waited has deleted the secret and ended the sessions.
    return affected === 0 ? null : clientId;
  }

  /** The active service account of a secret; null for an unknown or expired secret. Records the use once a minute. */
  async principalOf(secret: string): Promise<Principal | null> {
    const now = this.clock.now();
    const known = await this.secrets.findOneBy({ hash: hashOfSecret(secret) });
    if (known === null || known.expiresAt <= now) return null;
    const account = await this.serviceUsers.find(known.userId);
    if (account?.status !== 'active') return null;
    const sinceUse = now.getTime() - (known.lastUsedAt?.getTime() ?? 0);
    if (sinceUse >= MINUTE_MS) await this.secrets.update({ id: known.id }, { lastUsedAt: now });
    const { id, email, role, scopes } = account;
    return Object.freeze({ id, email, role, scopes, isService: true, sessionId: known.id });
  }

  private async lock(tx: EntityManager, userId: string): Promise<void> {
    if ((await this.serviceUsers.lock(tx, userId)) === null) throw new ServiceAccountNotFound();
  }

  private record(
    tx: EntityManager,
    action: 'service_account_rotated' | 'service_account_secret_revoked',
    caller: Principal,
    { id, userId }: Pick<ServiceAccountSecret, 'id' | 'userId'>,
  ): Promise<void> {
    const target = { type: 'service_account', id: userId } as const;
    return this.audit.record(tx, { action, actorId: caller.id, target, details: { secret_id: id } });
  }
}
