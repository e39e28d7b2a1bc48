import type { Pool, PoolClient } from 'pg';

/**
 * Runs `work` on a connection of the pool. `pool.query` would run in the async context of the request that released
 * the connection, and would be cancelled with that request.
 */
export async function withConnection<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let lost: Error | undefined;
  // The pool has no error listener on a checked-out client: without this one, a lost connection would end the process.
  const onLost = (error: Error): void => void (lost = error);
  client.on('error', onLost);
  try {
    return await work(client);
  } finally {
    client.removeListener('error', onLost);
    client.release(lost);
  }
}
