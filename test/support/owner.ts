import { Client as PgClient } from 'pg';
import type { EntityManager } from 'typeorm';
import type { Service } from './service.js';
import { until } from './until.js';

/** As whoever keeps the server. */
export async function asOwner({ databaseUrl }: Service, ...statements: string[]): Promise<void> {
  const owner = new PgClient({ connectionString: databaseUrl });
  await owner.connect();
  try {
    for (const statement of statements) await owner.query(statement);
  } finally {
    await owner.end();
  }
}

/** Ends the connection of a transaction, and waits until the service has noticed. */
export async function endConnection(service: Service, tx: EntityManager): Promise<void> {
  const [{ pid }] = await tx.query('SELECT pg_backend_pid() AS pid');
  await asOwner(service, `SELECT pg_terminate_backend(${pid})`);
  await until(() => tx.queryRunner?.isReleased);
}
