import { hostname } from 'node:os';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Command } from 'commander';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AppModule } from '../app.module.js';
import { inRequestContext } from '../core/http/request-context.js';
import { validationPipe } from '../core/validation/validation.js';
import { Config } from '../core/config/config.js';
import { pendingMigrationsOf } from '../core/database/pending-migrations.js';
import { exitCodes, Failure } from './exit-codes.js';
import { print } from './output.js';

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

/**
 * A command that prints a result: JSON in the API's format for scripts, or text for users. Commander has parsed the arguments
 * and the options.
 */
export const action =
  <Options, Args extends unknown[]>(
    work: (
      app: INestApplicationContext,
      options: Options,
      ...args: Args
    ) => Promise<[value: object, text: string]>,
  ) =>
  (command: Command, ...args: Args): Promise<void> =>
    withService(async (app) => {
      const options = command.optsWithGlobals<Options & { json: boolean }>();
      const [value, text] = await work(app, options, ...args);
      print(options.json, value, text);
    });

/** Validates a body by the API's rules. Throws InvalidRequest. */
export const validated = <T extends object>(body: object, metatype: Type<T>): Promise<T> =>
  validationPipe().transform(body, { type: 'body', metatype }) as Promise<T>;
