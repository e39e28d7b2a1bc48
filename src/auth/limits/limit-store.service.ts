import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, QueryResult } from 'pg';
import { RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible';
import { createClient } from 'redis';
import { DataSource } from 'typeorm';
import { Problem } from '../../common/problem.js';
import { Config } from '../../config/config.js';
import { Limit } from './limit.js';

interface Counting {
  /** Names its keys among those of other limits. */
  name: string;
  /** How many in so many seconds. */
  points: number;
  seconds: number;
}

/** Bound by tight times, and with nothing queued: while Redis is away PostgreSQL counts, at once. */
const connect = (url: string) =>
  createClient({
    url,
    disableOfflineQueue: true,
    commandOptions: { timeout: 200 },
    socket: { connectTimeout: 500, reconnectStrategy: (tries) => Math.min(100 * 2 ** tries, 2000) },
  });

/** Where guesses are counted, for all replicas together. */
@Injectable()
export class LimitStore implements OnApplicationShutdown {
  private readonly logger = new Logger(LimitStore.name);
  private readonly redis?: ReturnType<typeof connect>;
  private swept = false;

  constructor(
    @InjectDataSource() private readonly source: DataSource,
    { limits }: Config,
  ) {
    if (limits.redisUrl === undefined) return;
    this.redis = connect(limits.redisUrl);
    this.redis.on('error', (error: Error) => this.logger.debug({ msg: 'redis', err: error }));
    this.redis.connect().catch((error: unknown) => this.logger.warn({ msg: 'redis', err: error }));
  }

  /** In Redis when there is one and it answers, else in PostgreSQL. */
  shared(counting: Counting): Limit {
    const postgres = this.inPostgres(counting);
    if (this.redis === undefined) return new Limit(postgres);
    const redis = new RateLimiterRedis({
      storeClient: this.redis,
      useRedisPackage: true,
      rejectIfRedisNotReady: true,
      insuranceLimiter: postgres,
      keyPrefix: `vitrine:${counting.name}`,
      points: counting.points,
      duration: counting.seconds,
    });
    return new Limit(redis);
  }

  /** In PostgreSQL always: for what a flushed Redis must not forget. */
  durable(counting: Counting): Limit {
    return new Limit(this.inPostgres(counting));
  }

  onApplicationShutdown(): void {
    if (this.redis?.isOpen === true) this.redis.destroy();
  }

  private inPostgres({ name, points, seconds }: Counting): RateLimiterPostgres {
    return new RateLimiterPostgres({
      storeClient: { query: (query: { text: string; values: unknown[] }) => this.query(query) },
      storeType: 'client',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: this.sweeps(),
      keyPrefix: name,
      points,
      duration: seconds,
    });
  }

  /** The package removes what is over every five minutes; once for the table is enough. */
  private sweeps(): boolean {
    const first = !this.swept;
    this.swept = true;
    return first;
  }

  /** Without the names that the package gives its statements: PgBouncer in transaction mode keeps none. */
  private query({ text, values }: { text: string; values: unknown[] }): Promise<QueryResult> {
    if (!this.source.isInitialized) {
      throw new Problem('database_unavailable', 'Try again in a moment.', { retryAfter: 2 });
    }
    const { master } = this.source.driver as unknown as { master: Pool };
    return master.query(text, values);
  }
}
