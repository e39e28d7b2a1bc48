import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { requestContext } from '../../src/core/http/request-context.js';

type Connected = (error: Error | undefined, client?: PoolClient, release?: PoolClient['release']) => void;

/** Counts connections of the pool by request id; returns the most that a request used at the same time. */
export function countConnections({ driver }: DataSource): (requestId: string) => number {
  const { master: pool } = driver as unknown as { master: Pool };
  const used = new Map<string, number>();
  const most = new Map<string, number>();
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;

  const counted = async (): Promise<PoolClient> => {
    const id = requestContext()?.requestId;
    const client = await connect();
    if (id === undefined) return client;
    const add = (count: number): void => {
      used.set(id, (used.get(id) ?? 0) + count);
      most.set(id, Math.max(most.get(id) ?? 0, used.get(id) ?? 0));
    };
    add(1);
    const release = client.release.bind(client);
    client.release = (error) => {
      add(-1);
      release(error);
    };
    return client;
  };
  const counts = async (callback?: Connected): Promise<PoolClient | void> => {
    if (callback === undefined) return counted();
    let client: PoolClient;
    try {
      client = await counted();
    } catch (error) {
      return callback(error as Error);
    }
    callback(undefined, client, (error) => client.release(error));
  };
  pool.connect = counts as Pool['connect'];

  return (requestId) => most.get(requestId) ?? 0;
}
