import type { FactoryProvider } from '@nestjs/common';
import type { createClient } from 'redis';
import { Config } from '../../core/config/config.js';

export const REDIS = Symbol('redis');

export type RedisClient = ReturnType<typeof createClient>;

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
