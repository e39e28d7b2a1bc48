import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { abortable } from '../async/abortable.js';
import { Problem } from '../problems/problem.js';
import { inRequestContext, requestContext, requestId } from '../http/request-context.js';
import { StartupTasks } from '../lifecycle/startup-tasks.service.js';
import { Busy, Bulkhead } from '../async/bulkhead.js';
import { Config } from '../config/config.js';
import { CacheInvalidationService } from './cache-invalidation.service.js';
import { migrateDatabase, type QueueDefinitions, QUEUES } from './migrate-database.js';
import { pendingMigrationsAt } from './pending-migrations.js';
import { unsafeSettings } from './server-settings.js';

const RETRY_MS = 500;
const HEALTHY_MS = 1000;
const CONTENDED_QUEUE = 200;
const CONTENDED_WAIT_MS = 10_000;

class TooManyChanges extends Problem {
  constructor() {
    super('service_unavailable', 'Too many changes of the same kind at once. Try again.', { retryAfter: 2 });
  }
}

@Injectable()
export class DatabaseService implements OnApplicationBootstrap {
  private readonly logger = new Logger(DatabaseService.name);
  private readonly outer = new AsyncLocalStorage<EntityManager>();
  private readonly contended: Bulkhead;

  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly config: Config,
    private readonly changes: CacheInvalidationService,
    private readonly startup: StartupTasks,
    @Inject(QUEUES) private readonly queues: QueueDefinitions,
  ) {
    // Requests with an Idempotency-Key may hold half of the pool: the two together leave connections for the rest.
    this.contended = new Bulkhead(Math.max(1, Math.floor(config.database.poolSize * 0.4)), CONTENDED_QUEUE);
  }

  onApplicationBootstrap(): void {
    this.startup.begin({ step: 'database' }, (signal) => this.connect(signal));
  }

  get connected(): boolean {
    return this.source.isInitialized;
  }

  /** The connections of this replica: open, of these idle, and requests that wait for one. */
  get pool(): { total: number; idle: number; waiting: number } {
    if (!this.source.isInitialized) return { total: 0, idle: 0, waiting: 0 };
    const { master } = this.source.driver as unknown as { master: Pool };
    return { total: master.totalCount, idle: master.idleCount, waiting: master.waitingCount };
  }

  /** For queries outside a transaction: inside `whole` its connection, because a second one could be long in coming. */
  get manager(): EntityManager {
    return this.outer.getStore() ?? this.source.manager;
  }

  /** Everything in the callback happens, or nothing of it. Within `whole` it is a part of that. */
  transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.outer.getStore()?.transaction(work) ?? this.newTransaction(work);
  }

  /**
   * A transaction that waits for a lock which many requests want at once, and holds its connection meanwhile: only a part
   * of the pool may do so, the others queue without a connection. Within `whole` it is a part of that. Throws a 503 problem
   * when the queue is full or after 10 s in it.
   */
  async contendedTransaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    if (this.outer.getStore() !== undefined) return this.transaction(work);
    try {
      const { signal } = requestContext() ?? {};
      return await this.contended.run(() => this.newTransaction(work), CONTENDED_WAIT_MS, signal);
    } catch (error) {
      throw error instanceof Busy ? new TooManyChanges() : error;
    }
  }

  /** One of its own wherever it is called: what it writes stays when everything around it fails. */
  async newTransaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    let changes: Awaited<ReturnType<CacheInvalidationService['flush']>> = new Map();
    try {
      return await this.source.transaction(async (tx) => {
        const result = await work(tx);
        changes = await this.changes.flush(tx);
        return result;
      });
    } finally {
      this.changes.dispatchLocal(changes);
    }
  }

  /** Makes all transactions that the callback comes to open, however deep, one with this one. */
  joinTransactions<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.newTransaction((tx) => this.outer.run(tx, () => work(tx)));
  }

  /** Retries until the database is available and its schema is up to date. TypeORM's module closes the connections. */
  private async connect(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        await this.startOnce();
        return;
      } catch (error) {
        if (attempt % 20 === 0) this.logger.warn({ msg: 'waiting for the database', err: error });
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Whether it answers within a second. A query that hangs is given up. */
  async isHealthy(): Promise<boolean> {
    if (!this.source.isInitialized) return false;
    const signal = AbortSignal.timeout(HEALTHY_MS);
    const context = { requestId: requestId(), ip: '', userAgent: '', signal };
    try {
      await abortable(
        inRequestContext(context, () => this.source.query('SELECT 1')),
        signal,
      );
      return true;
    } catch {
      return false;
    }
  }

  /** For work that lawfully takes longer than a request may: a bound of its own, for this transaction only. */
  static async withLongTimeout(tx: EntityManager): Promise<void> {
    await tx.query(`SET LOCAL statement_timeout = '5min'`);
  }

  private async startOnce(): Promise<void> {
    const { url, migrationUrl, runningRole } = this.config.database;
    // Tried again with everything else: a replica that waits for a lock shall not hold its place for long.
    if (migrationUrl !== undefined)
      await migrateDatabase({ url: migrationUrl, runningRole, queues: this.queues, tries: 1 });
    if ((await pendingMigrationsAt(url)).length > 0) {
      throw new Error('Migrations are pending: run the migration job');
    }
    if (!this.source.isInitialized) await this.source.initialize();
    for (const { detail, advice } of await unsafeSettings(this.source)) {
      this.logger.warn({ msg: `${detail} ${advice}` });
    }
  }
}
