import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { errorInTransaction, isDeadlock } from '../problems/database-problem.js';
import { problem } from '../problems/problem.js';
import { requestContext, withOwnDeadline } from '../http/request-context.js';
import { StartupTasks } from '../lifecycle/startup-tasks.service.js';
import { Busy, Bulkhead } from '../async/bulkhead.js';
import { Config } from '../config/config.js';
import { takeAfterCommit } from './after-commit.js';
import { CacheInvalidationService } from './cache-invalidation.service.js';
import { connectionsFor } from './connection-shares.js';
import { setLocal } from './execute.js';
import { migrateDatabase } from './migrate-database.js';
import { pendingMigrationsAt } from './pending-migrations.js';
import { isReadOnly, missingTimeZone, unsafeSettings } from './server-settings.js';

const RETRY_MS = 500;
const HEALTHY_MS = 1000;
const CHANGES_QUEUE = 200;
const CHANGES_WAIT_MS = 10_000;

class TooManyChanges extends problem('service_unavailable', 'Too many concurrent changes. Try again.', {
  retryAfter: 2,
}) {}

/** The transaction that others join, and what is written after its end. */
interface Outer {
  tx: EntityManager;
  later: (() => Promise<void>)[];
}

@Injectable()
export class DatabaseService implements OnApplicationBootstrap {
  private readonly logger = new Logger(DatabaseService.name);
  private readonly outer = new AsyncLocalStorage<Outer>();
  private readonly slots: Bulkhead;

  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly config: Config,
    private readonly changes: CacheInvalidationService,
    private readonly startup: StartupTasks,
  ) {
    this.slots = new Bulkhead(connectionsFor('changes', config.database.poolSize), CHANGES_QUEUE);
  }

  onApplicationBootstrap(): void {
    this.startup.begin({ step: 'database' }, (signal) => this.connect(signal));
  }

  get connected(): boolean {
    return this.source.isInitialized;
  }

  /** Connections of this replica: open, idle, and the number of requests that wait for one. */
  get pool(): { total: number; idle: number; waiting: number } {
    if (!this.source.isInitialized) return { total: 0, idle: 0, waiting: 0 };
    const { master } = this.source.driver as unknown as { master: Pool };
    return { total: master.totalCount, idle: master.idleCount, waiting: master.waitingCount };
  }

  /**
   * For queries outside a transaction. Inside `joinTransactions` it uses that transaction's connection, because
   * acquiring a second one may take long.
   */
  get manager(): EntityManager {
    return this.outer.getStore()?.tx ?? this.source.manager;
  }

  /** Whether `transaction` joins an outer one, which holds the locks of all of them until its end. */
  get isJoined(): boolean {
    return this.outer.getStore() !== undefined;
  }

  /** Commits everything in the callback or nothing. Inside `joinTransactions` it joins the outer transaction. */
  transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.outer.getStore()?.tx.transaction(work) ?? this.newTransaction(work);
  }

  /**
   * A transaction that waits for a heavily contended lock while holding its connection: only a part of the pool may
   * do so, further calls queue without a connection. Inside `joinTransactions` it joins the outer transaction. Throws
   * a 503 problem if the queue is full or after 10 s in the queue.
   */
  contendedTransaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    if (this.isJoined) return this.transaction(work);
    return this.inSlot(() => this.newTransaction(work));
  }

  /**
   * Always a separate transaction: its writes persist even if the surrounding work fails. Repeats `work` once after a
   * deadlock, so it may have no effects outside of the transaction.
   */
  newTransaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.repeatAfterDeadlock(() => this.transactOnce(work));
  }

  /**
   * For a callback that runs one statement, which is a transaction of its own: repeated once after a deadlock. Inside
   * `joinTransactions` it joins the outer transaction.
   */
  statement<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    if (this.isJoined) return this.transaction(work);
    return this.repeatAfterDeadlock(() => work(this.source.manager));
  }

  /**
   * For work in separate transactions that must not need a second connection: runs at once, or inside `joinTransactions` when that
   * transaction has ended, in whatever way, before its request is answered.
   */
  async afterJoined(work: () => Promise<void>): Promise<void> {
    const outer = this.outer.getStore();
    if (outer === undefined) await work();
    else outer.later.push(work);
  }

  private async repeatAfterDeadlock<T>(transact: () => Promise<T>): Promise<T> {
    try {
      return await transact();
    } catch (error) {
      if (!isDeadlock(error)) throw error;
      this.logger.warn({ msg: 'a transaction is repeated after a deadlock', err: error });
      return transact();
    }
  }

  private async transactOnce<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    let changes: Awaited<ReturnType<CacheInvalidationService['flush']>> = new Map();
    let committed: ReturnType<typeof takeAfterCommit> = new Set();
    try {
      const value = await this.source.transaction(async (tx) => {
        const result = await work(tx);
        changes = await this.changes.flush(tx);
        committed = takeAfterCommit(tx);
        return result;
      });
      for (const each of committed) each();
      return value;
    } catch (error) {
      throw errorInTransaction(error);
    } finally {
      this.changes.dispatchLocal(changes);
    }
  }

  /**
   * Joins all transactions that the callback opens, at any depth, into one. It holds its connection until the callback completes:
   * the limits of `contendedTransaction` apply. After a deadlock it is not repeated, because `work` is a whole request.
   */
  joinTransactions<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const later: Outer['later'] = [];
    return this.inSlot(async () => {
      try {
        return await this.transactOnce((tx) => this.outer.run({ tx, later }, () => work(tx)));
      } finally {
        for (const each of later) await each();
      }
    });
  }

  private async inSlot<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.slots.run(work, CHANGES_WAIT_MS, requestContext()?.signal);
    } catch (error) {
      throw error instanceof Busy ? new TooManyChanges() : error;
    }
  }

  /** Retries until the database is available and its schema is current. `TypeOrmModule` closes the connections at shutdown. */
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

  /** `down` unless the database responds within a second. */
  async state(): Promise<'ok' | 'read_only' | 'down'> {
    if (!this.source.isInitialized) return 'down';
    try {
      return (await withOwnDeadline(() => isReadOnly(this.source), HEALTHY_MS)) ? 'read_only' : 'ok';
    } catch {
      return 'down';
    }
  }

  /** Whether the database responds: a read-only one serves lists and open sessions. */
  async isHealthy(): Promise<boolean> {
    return (await this.state()) !== 'down';
  }

  /** Raises the statement timeout of this transaction to 5 minutes, for maintenance that may exceed the default. */
  static async withLongTimeout(tx: EntityManager): Promise<void> {
    await setLocal(tx, 'statement_timeout', '5min');
  }

  private async startOnce(): Promise<void> {
    const { url, migrationUrl, runningRole } = this.config.database;
    // One attempt, because `connect` retries: a replica that waits for a table lock must not keep the migration lock.
    if (migrationUrl !== undefined) await migrateDatabase({ url: migrationUrl, runningRole, tries: 1 });
    if ((await pendingMigrationsAt(url)).length > 0) {
      throw new Error('Migrations are pending: run the migration job');
    }
    if (!this.source.isInitialized) await this.source.initialize();
    for (const { detail, advice } of await unsafeSettings(this.source)) {
      this.logger.warn({ msg: `${detail} ${advice}` });
    }
    const missing = await missingTimeZone(this.source, this.config.usage.timeZone);
    if (missing !== undefined) this.logger.error({ msg: `${missing.detail} ${missing.advice}` });
  }
}
