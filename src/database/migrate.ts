import { Client } from 'pg';
import { PgBoss } from 'pg-boss';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source.js';
import { queues } from './jobs.service.js';

/** Any number that nothing else in the database locks. */
const LOCK = 7_311_846_029;

/**
 * Brings the schema and the job queue up to date, as the owner of the database. Replicas that start together wait for
 * one another; a second run changes nothing.
 */
export async function migrate(url: string): Promise<void> {
  const lock = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await migrateSchema(url);
    await migrateJobs(url);
  } finally {
    await lock.end();
  }
}

async function migrateSchema(url: string): Promise<void> {
  const source = await new DataSource(dataSourceOptions(url, 2)).initialize();
  try {
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
}

async function migrateJobs(url: string): Promise<void> {
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false, max: 2 });
  await boss.start();
  try {
    for (const [name, options] of Object.entries(queues)) await boss.createQueue(name, options);
  } finally {
    await boss.stop({ graceful: false });
  }
}
