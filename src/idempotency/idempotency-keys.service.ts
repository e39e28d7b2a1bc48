import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { bulkhead, isBulkheadRejectedError } from 'cockatiel';
import type { EntityManager } from 'typeorm';
import { Clock } from '../core/clock.js';
import { deriveKeys, mac, sameBytes } from '../core/crypto/keys.js';
import { Config } from '../core/config/config.js';
import { DatabaseService } from '../core/database/database.service.js';
import { JobsService } from '../jobs/jobs.service.js';
import { IdempotencyInFlight, IdempotencyKeyReused, TooManyInFlight } from './idempotency.errors.js';
import { IdempotencyKey } from './idempotency-key.entity.js';

const KEPT_SECONDS = 86_400;
const QUEUE = 200;
const CHUNK = 1000;

export interface KeyedRequest {
  userId: string;
  route: string;
  key: string;
  /** Everything that makes another request of it. */
  content: string;
}

export type StoredResponse = Pick<IdempotencyKey, 'status' | 'location' | 'body'>;

/** Either what was answered before, or nothing: then the work was done now. */
type Work = () => Promise<StoredResponse>;

@Injectable()
export class IdempotencyKeysService implements OnApplicationBootstrap {
  private readonly macKeys: Buffer[];
  // Each holds one connection until its handler is done: the other half of the pool serves everything else.
  private readonly slots;

  constructor(
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
    config: Config,
  ) {
    this.macKeys = deriveKeys(config.auth.secretKeys, 'idempotency');
    this.slots = bulkhead(Math.max(1, Math.floor(config.database.poolSize / 2)), QUEUE);
  }

  onApplicationBootstrap(): void {
    this.jobs.onStarted(() => this.start());
  }

  /** Removes what has run out, every hour. */
  private async start(): Promise<void> {
    await this.jobs.work('idempotency_upkeep', () => this.removeExpired());
    await this.jobs.schedule('idempotency_upkeep', '41 * * * *');
  }

  /**
   * Does the work once. Its transactions, the answer and the key are committed together: whoever asks again after a
   * crash gets the answer, or nothing had happened. Answers null when the work was done now.
   */
  async runOnce(request: KeyedRequest, work: Work): Promise<StoredResponse | null> {
    try {
      return await this.slots.execute(() =>
        this.database.joinTransactions(async (tx) => {
          await this.lock(tx, request);
          const known = await this.find(tx, request);
          if (known === null) await this.keep(tx, request, await work());
          return known;
        }),
      );
    } catch (error) {
      throw error instanceof Error && isBulkheadRejectedError(error) ? new TooManyInFlight() : error;
    }
  }

  /** In steps of one transaction each, so that no lock is held for long. */
  async removeExpired(): Promise<void> {
    let removed: number;
    do {
      removed = await this.database.transaction(async (tx) => {
        const [, count] = await tx.query<[unknown, number]>(
          `DELETE FROM idempotency_keys WHERE ctid = ANY(ARRAY(
             SELECT ctid FROM idempotency_keys WHERE expires_at <= $1 LIMIT ${CHUNK} FOR UPDATE SKIP LOCKED))`,
          [this.clock.now()],
        );
        return count;
      });
    } while (removed === CHUNK);
  }

  /** Ends with the transaction, and so with the connection of a replica that died. */
  private async lock(tx: EntityManager, { userId, route, key }: KeyedRequest): Promise<void> {
    const [{ locked } = { locked: false }] = await tx.query<{ locked: boolean }[]>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked',
      [`idempotency:${userId}:${route}:${key}`],
    );
    if (!locked) throw new IdempotencyInFlight();
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
    { body, ...answer }: StoredResponse,
  ): Promise<void> {
    await tx.insert(IdempotencyKey, {
      ...scope,
      ...answer,
      body: body as Record<string, never>,
      requestMac: mac(this.macKeys[0] as Buffer, Buffer.from(content)),
      expiresAt: this.clock.in(KEPT_SECONDS),
    });
  }
}
