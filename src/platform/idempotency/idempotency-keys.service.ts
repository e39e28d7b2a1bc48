import type { KeyObject } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../core/clock.js';
import { deriveKeys, mac, sameBytes } from '../../core/crypto/keys.js';
import { Config } from '../../core/config/config.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { deleteInBatches } from '../../core/database/delete-batch.js';
import { tryLockName } from '../../core/database/locks.js';
import { JobsService } from '../jobs/jobs.service.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { problem } from '../../core/problems/problem.js';

class IdempotencyKeyReused extends problem(
  'idempotency_key_reused',
  'This Idempotency-Key was used for a different request. Use a new key.',
) {}

class IdempotencyInFlight extends problem(
  'idempotency_in_flight',
  'The first request with this Idempotency-Key is still in progress.',
  { retryAfter: 1 },
) {}

const KEPT_SECONDS = 86_400;

export interface KeyedRequest {
  userId: string;
  route: string;
  key: string;
  /** What distinguishes this request from others with the same key: path and body. */
  content: string;
}

export type StoredResponse = Pick<IdempotencyKey, 'status' | 'location' | 'body'>;

/** Handles the request and returns the response to store. */
type Work = () => Promise<StoredResponse>;

@Injectable()
export class IdempotencyKeysService implements OnApplicationBootstrap {
  private readonly macKeys: KeyObject[];

  constructor(
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
    config: Config,
  ) {
    this.macKeys = deriveKeys(config.auth.secretKeys, 'idempotency');
  }

  onApplicationBootstrap(): void {
    this.jobs.repeat('idempotency_cleanup', '41 * * * *', () => this.removeExpired());
  }

  /**
   * Runs the work once for each key. Its transactions, the response and the key are committed together: a retry after a
   * crash gets the stored response, or starts over if nothing was committed. Returns the stored response, or null if
   * the work ran now. Throws IdempotencyInFlight or IdempotencyKeyReused, and as `joinTransactions` does.
   */
  async runOnce(request: KeyedRequest, work: Work): Promise<StoredResponse | null> {
    return this.database.joinTransactions(async (tx) => {
      await this.lock(tx, request);
      const known = await this.find(tx, request);
      if (known === null) await this.keep(tx, request, await work());
      return known;
    });
  }

  async removeExpired(): Promise<void> {
    const expired = { where: 'expires_at <= $1', time: this.clock.now() };
    await deleteInBatches(this.database, IdempotencyKey, expired);
  }

  /** The lock is released when the transaction ends, which includes the death of a replica. Throws IdempotencyInFlight. */
  private async lock(tx: EntityManager, { userId, route, key }: KeyedRequest): Promise<void> {
    if (!(await tryLockName(tx, `idempotency:${userId}:${route}:${key}`))) throw new IdempotencyInFlight();
  }

  private async find(tx: EntityManager, request: KeyedRequest): Promise<StoredResponse | null> {
    const { userId, route, key, content } = request;
    const known = await tx.findOneBy(IdempotencyKey, { userId, route, key });
    if (known === null) return null;
    if (known.expiresAt <= this.clock.now()) {
      await tx.delete(IdempotencyKey, { userId, route, key });
      return null;
    }
    const isSame = this.macKeys.some((macKey) =>
      sameBytes(mac(macKey, Buffer.from(content)), known.requestMac),
    );
    if (!isSame) throw new IdempotencyKeyReused();
    return known;
  }

  private async keep(
    tx: EntityManager,
    { content, ...scope }: KeyedRequest,
    { body, ...response }: StoredResponse,
  ): Promise<void> {
    await tx.insert(IdempotencyKey, {
      ...scope,
      ...response,
      body: body as Record<string, never>,
      requestMac: mac(this.macKeys[0] as KeyObject, Buffer.from(content)),
      expiresAt: this.clock.in(KEPT_SECONDS),
    });
  }
}
