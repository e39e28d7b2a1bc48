import { setTimeout as sleep } from 'node:timers/promises';
import { PgBoss, type Queue } from 'pg-boss';
import { DataSource } from 'typeorm';
import { AbortableClient } from './abortable-client.js';
import { dataSourceOptions } from './data-source.js';
import { prepareAppRole } from './app-role.js';
import { queues } from './queues.js';

/** Key of the advisory lock: arbitrary, but used by no other lock in the database. */
const LOCK = 7_311_846_029;

/**
 * DDL that waits for a lock blocks every query queued behind it: a short lock timeout with retries keeps the running
 * version available. The execution time of a migration is not limited.
 */
const LOCK_TIMEOUT = '-c lock_timeout=2s -c statement_timeout=0 -c idle_in_transaction_session_timeout=0';
const LOCK_NOT_AVAILABLE = '55P03';
const TRIES = 30;
const PAUSE_MS = 1000;

interface MigrationOptions {
  /** Connection string of the database owner, bypassing PgBouncer. */
  url: string;
  /** Role that the service connects as; the owner when unset. */
  runningRole?: string;
  /** Maximum attempts per step when a lock is not available. */
  tries?: number;
}

const isBlocked = (error: unknown): boolean =>
  [error, (error as { driverError?: unknown }).driverError].some(
    (one) => (one as { code?: string } | undefined)?.code === LOCK_NOT_AVAILABLE,
  );

/**
 * Migrates the schema, the job queue and the privileges of the app role, as the owner of the database. Replicas that
 * start together run it one after another; it is idempotent, and an interrupted run can be repeated. Throws when a
 * lock stays unavailable.
 */
export async function migrateDatabase({ url, runningRole, tries = TRIES }: MigrationOptions): Promise<void> {
  // A session-level advisory lock does not survive transaction pooling, hence a dedicated connection of the owner.
  const lock = new AbortableClient({
    connectionString: url,
    connectionTimeoutMillis: 2000,
    // Not by SET, of which the probes of the client would not know.
    options: '-c statement_timeout=0 -c lock_timeout=0',
  });
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const steps = [() => migrateSchema(url), () => migrateJobs(url), () => prepareAppRole(lock, runningRole)];
    for (const step of steps) await withRetries(step, tries);
  } finally {
    await lock.end();
  }
}

async function withRetries(step: () => Promise<void>, tries: number): Promise<void> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await step();
    } catch (error) {
      if (!isBlocked(error) || left <= 0) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

async function migrateSchema(url: string): Promise<void> {
  const options = dataSourceOptions(url, 2);
  const extra = { ...(options.extra as object), options: LOCK_TIMEOUT };
  const source = await new DataSource({ ...options, extra }).initialize();
  try {
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
}

async function migrateJobs(url: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: url,
    options: LOCK_TIMEOUT,
    supervise: false,
    schedule: false,
    max: 2,
  });
  await boss.start();
  try {
    for (const [name, { policy, ...options }] of Object.entries<Omit<Queue, 'name'>>(queues)) {
      await boss.createQueue(name, { policy, ...options });
      // A queue of an earlier version keeps its policy.
      await boss.updateQueue(name, options);
    }
    // Jobs of a schedule that an earlier version left behind would never be worked on.
    for (const { name, key } of await boss.getSchedules())
      if (!(name in queues)) await boss.unschedule(name, key);
  } finally {
    await boss.stop({ graceful: false });
  }
}
