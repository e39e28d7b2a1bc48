import { hostname } from 'node:os';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AppModule } from '../app.module.js';
import { inRequestContext } from '../core/http/request-context.js';
import { validationPipe } from '../core/validation/validation.js';
import { Config } from '../core/config/config.js';
import { pendingMigrationsOf } from '../core/database/pending-migrations.js';
import { exitCodes, Failure } from './exit-codes.js';

/** Runs `work` with the service's modules as configured by the environment, without HTTP and without logging. */
export async function withModules<T>(work: (app: INestApplicationContext) => Promise<T>): Promise<T> {
  const app = await NestFactory.createApplicationContext(AppModule.forRoot(Config.load()), {
    logger: false,
    abortOnError: false,
  });
  const who = `vitrine command line, uid ${process.getuid?.() ?? 'unknown'} on ${hostname()}`;
  try {
    return await inRequestContext({ requestId: uuidv7(), ip: '', userAgent: who }, () => work(app));
  } finally {
    await app.close();
  }
}

/** Throws Failure when the database is unreachable or has pending migrations. */
async function connect(app: INestApplicationContext): Promise<void> {
  const source = app.get(DataSource);
  try {
    await source.initialize();
  } catch (error) {
    const detail = `Cannot connect to PostgreSQL: ${(error as Error).message || 'no response'}. Check DATABASE_URL.`;
    throw new Failure(exitCodes.unavailable, 'database_unavailable', detail);
  }
  if ((await pendingMigrationsOf(source)).length === 0) return;
  const detail =
    'Migrations are pending: run `node bin/vitrine.js migrate`, or start the service with DATABASE_MIGRATION_URL.';
  throw new Failure(exitCodes.unavailable, 'migrations_pending', detail);
}

/** For commands that need the database: all except the doctor. */
export const withService = <T>(work: (app: INestApplicationContext) => Promise<T>): Promise<T> =>
  withModules(async (app) => {
    await connect(app);
    return work(app);
  });

/** Validates a body by the API's rules. Throws InvalidRequest. */
export const validated = <T extends object>(body: object, metatype: Type<T>): Promise<T> =>
  validationPipe().transform(body, { type: 'body', metatype }) as Promise<T>;
