import type { Pool, PoolClient } from 'pg';

/**
 * Lends a connection of the pool for this work. Not the pool's own `query`: that runs as a part of the request whose
 * connection came free, and would be cancelled with that one.
 */
export async function withConnection<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let lost: Error | undefined;
  // Outside of the pool nobody else listens: a connection that is lost would end the process.
  const onLost = (error: Error): void => void (lost = error);
  client.on('error', onLost);
  try {
    return await work(client);
  } finally {
    client.removeListener('error', onLost);
    client.release(lost);
  }
}
