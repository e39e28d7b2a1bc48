import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { abortable } from '../common/abortable.js';
import { inRequestContext, requestId } from '../common/request-context.js';
import { Config } from '../config/config.js';
import { migrate } from './migrate.js';

const RETRY_MS = 500;
const HEALTHY_MS = 1000;

@Injectable()
export class Database {
  private readonly logger = new Logger(Database.name);
  private readonly outer = new AsyncLocalStorage<EntityManager>();
  private closing = false;

  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly config: Config,
  ) {}

  get connected(): boolean {
    return this.source.isInitialized;
  }

  /** Everything in the callback happens, or nothing of it. Within `whole` it is a part of that. */
  transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return (this.outer.getStore() ?? this.source).transaction(work);
  }

  /** One of its own wherever it is called: what it writes stays when everything around it fails. */
  separateTransaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.source.transaction(work);
  }

  /** Makes all transactions that the callback comes to open, however deep, one with this one. */
  whole<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.source.transaction((tx) => this.outer.run(tx, () => work(tx)));
  }

  /** Goes on trying until the database is there and its schema is up to date. */
  async start(): Promise<void> {
    for (let attempt = 0; !this.closing; attempt += 1) {
      try {
        await this.startOnce();
        return;
      } catch (error) {
        if (attempt % 20 === 0) this.logger.warn({ msg: 'waiting for the database', err: error });
        await sleep(RETRY_MS);
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

  async stop(): Promise<void> {
    this.closing = true;
    if (this.source.isInitialized) await this.source.destroy();
  }

  private async startOnce(): Promise<void> {
    if (this.config.database.migrationUrl !== undefined) await migrate(this.config.database.migrationUrl);
    if (!this.source.isInitialized) await this.source.initialize();
    if (await this.source.showMigrations()) throw new Error('Migrations are pending: run the migration job');
  }
}
