import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type EntityManager, LessThanOrEqual } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Clock } from '../core/clock.js';
import { hashOfSecret } from '../core/crypto/link-secrets.js';
import { ServiceUsersService } from '../users/service-users.service.js';
import { ServiceAccountSecret } from './service-account-secret.entity.js';
import { SecretNotFound, TooManySecrets } from './service-accounts.errors.js';

/** Lets secret scanners identify the secret in repositories and logs. */
const PREFIX = 'vsa_';
const DAY = 86_400;
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
    private readonly serviceUsers: ServiceUsersService,
    private readonly clock: Clock,
  ) {}

  /** The caller must hold the lock on the service account's row: concurrent rotations could exceed the maximum. Throws TooManySecrets. */
  async add(tx: EntityManager, userId: string, createdBy: string, days: number): Promise<NewSecret> {
    const createdAt = this.clock.now();
    await tx.delete(ServiceAccountSecret, { userId, expiresAt: LessThanOrEqual(createdAt) });
    if ((await tx.countBy(ServiceAccountSecret, { userId })) >= MAX_VALID) throw new TooManySecrets();
    const secret = PREFIX + randomBytes(32).toString('base64url');
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

  /** Throws SecretNotFound, also for a secret of another account. */
  async remove(tx: EntityManager, userId: string, id: string): Promise<void> {
    const { affected } = await tx.delete(ServiceAccountSecret, { id, userId });
    if (affected === 0) throw new SecretNotFound();
  }

  /** Returns the service account's id, or null when the secret is invalid or the account is not active; records the use. */
  async use(tx: EntityManager, clientId: string, secret: string): Promise<string | null> {
    const now = this.clock.now();
    const known = await tx.findOneBy(ServiceAccountSecret, { hash: hashOfSecret(secret) });
    if (known === null || known.userId !== clientId || known.expiresAt <= now) return null;
    if (!(await this.serviceUsers.recordSignIn(tx, clientId))) return null;
    await tx.update(ServiceAccountSecret, { id: known.id }, { lastUsedAt: now });
    return clientId;
  }
}
