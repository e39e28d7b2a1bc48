import { AsyncLocalStorage } from 'node:async_hooks';
import { type FactoryProvider, Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  circuitBreaker,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  handleAll,
  timeout,
  TimeoutStrategy,
  wrap,
} from 'cockatiel';
import type { QueryResult } from 'pg';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  type RateLimiterRes,
} from 'rate-limiter-flexible';
import type { createClient } from 'redis';
import { DataSource } from 'typeorm';
import { Config } from '../../core/config/config.js';
import { databaseUnavailable } from '../../core/problems/database-problem.js';
import { withOwnDeadline } from '../../core/http/request-context.js';
import { execute } from '../../core/database/execute.js';
import type { PersonalData } from '../../core/database/personal-data.js';
import { Limit } from './limit.js';

const REDIS = Symbol('redis');

type RedisClient = ReturnType<typeof createClient>;

/**
 * Undefined without REDIS_URL; the package loads slowly, so it is imported only when configured. The offline queue is
 * disabled so that PostgreSQL takes over immediately while Redis is unavailable.
 */
export const redisClient: FactoryProvider<RedisClient | undefined> = {
  provide: REDIS,
  inject: [Config],
  useFactory: async ({ limits: { redisUrl } }: Config) => {
    if (redisUrl === undefined) return undefined;
    const { createClient: create } = await import('redis');
    return create({
      url: redisUrl,
      disableOfflineQueue: true,
      socket: { connectTimeout: 500, reconnectStrategy: (tries) => Math.min(100 * 2 ** tries, 2000) },
    });
  },
};

interface Counting {
  /** Key prefix, unique per limit. */
  name: string;
  /** Maximum number of points per `seconds`. */
  points: number;
  seconds: number;
}

/**
 * The commands of the limiter. The client's own timeout ends once a command is written, so a stuck Redis would block
 * every request. After three consecutive failures the circuit stays open for 5 s.
 */
function withTimeout(redis: RedisClient, breaker: CircuitBreakerPolicy) {
  const policy = wrap(breaker, timeout(200, TimeoutStrategy.Aggressive));
  return {
    get isReady() {
      return redis.isReady;
    },
    eval: (...call: Parameters<RedisClient['eval']>) => policy.execute(() => redis.eval(...call)),
    del: (key: string) => policy.execute(() => redis.del(key)),
    multi: () => {
      const commands = redis.multi();
      return Object.assign(commands, { exec: () => policy.execute(() => commands.execAsPipeline()) });
    },
  };
}

const outsideRequests = AsyncLocalStorage.snapshot();

/** Its timers last as long as the counters, and must not keep the context of a request in memory. */
class MemoryLimiter extends RateLimiterMemory {
  override consume(...given: Parameters<RateLimiterMemory['consume']>): Promise<RateLimiterRes> {
    return outsideRequests(() => super.consume(...given));
  }
}

/** Creates rate limits with counters that all replicas share. */
@Injectable()
export class LimitStoreService implements OnApplicationShutdown {
  private readonly logger = new Logger(LimitStoreService.name);
  private readonly storeClient?: object;
  private swept = false;
  private isRedisDown = false;

  constructor(
    @InjectDataSource() private readonly source: DataSource,
    @Inject(REDIS) private readonly redis: RedisClient | undefined,
  ) {
    if (redis !== undefined) this.storeClient = this.connect(redis);
  }

  private connect(redis: RedisClient): object {
    const breaker = circuitBreaker(handleAll, { halfOpenAfter: 5000, breaker: new ConsecutiveBreaker(3) });
    breaker.onBreak((reason) => this.beginOutage('error' in reason ? reason.error : undefined));
    breaker.onReset(() => this.endOutage());
    redis.on('error', (error: Error) => this.beginOutage(error));
    redis.on('ready', () => this.endOutage());
    // Pending until the first connection is made: the client emits each failed attempt.
    redis.connect().catch((error: unknown) => this.beginOutage(error));
    return withTimeout(redis, breaker);
  }

  /** The client repeats a failed connection every two seconds: one line for an outage. */
  private beginOutage(error: unknown): void {
    if (this.isRedisDown) return;
    this.isRedisDown = true;
    this.logger.warn({ msg: 'redis fails: limits are counted without it; check REDIS_URL', err: error });
  }

  private endOutage(): void {
    if (this.isRedisDown) this.logger.log({ msg: 'redis has recovered' });
    this.isRedisDown = false;
  }

  /** In Redis when it is configured and available, else in PostgreSQL. */
  shared(counting: Counting): Limit {
    return new Limit(this.inRedis(counting, this.inPostgres(counting)));
  }

  /**
   * In Redis when it is configured and available, else in process memory: for limits so frequent that counting them in
   * PostgreSQL would be the main load.
   */
  bestEffort(counting: Counting): Limit {
    const { name: keyPrefix, points, seconds: duration } = counting;
    return new Limit(this.inRedis(counting, new MemoryLimiter({ keyPrefix, points, duration })));
  }

  /** Always in PostgreSQL: for limits that must survive a flush of Redis. */
  durable(counting: Counting): Limit {
    return new Limit(this.inPostgres(counting));
  }

  onApplicationShutdown(): void {
    if (this.redis?.isOpen === true) this.redis.destroy();
  }

  /** Never fails open: `insuranceLimiter` counts when Redis fails or does not respond in time. */
  private inRedis(
    { name, points, seconds }: Counting,
    insuranceLimiter: RateLimiterAbstract,
  ): RateLimiterAbstract {
    if (this.storeClient === undefined) return insuranceLimiter;
    return new RateLimiterRedis({
      storeClient: this.storeClient,
      insuranceLimiter,
      useRedisPackage: true,
      rejectIfRedisNotReady: true,
      keyPrefix: `vitrine:${name}`,
      points,
      duration: seconds,
    });
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

  /** rate-limiter-flexible deletes expired rows every five minutes; one limiter per table is enough. */
  private sweeps(): boolean {
    const first = !this.swept;
    this.swept = true;
    return first;
  }

  private async query({ text, values }: { text: string; values: unknown[] }): Promise<QueryResult> {
    if (!this.source.isInitialized) throw databaseUnavailable();
    return withOwnDeadline(() => execute(this.source.manager, text, values));
  }
}

export const personalData: PersonalData[] = [
  {
    table: 'rate_limits',
    columns: ['key'],
    holds: 'addresses of clients with too many attempts, and keyed hashes of accounts',
    export: { omits: 'not connected with an account' },
    erasure: { keeps: 'not connected with an account; deleted after at most a day' },
  },
];
