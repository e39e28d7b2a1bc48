import { lockRows } from './row-lock.js';
import { until } from './until.js';

export type Request = () => Promise<{ status: number }>;

/** Starts the requests one after the other while the user's row is locked, so that each has its first locks. */
export async function collide(
  databaseUrl: string,
  userId: string,
  requests: readonly Request[],
): Promise<{ status: number }[]> {
  const lockUser = 'SELECT FROM users WHERE id = $1 FOR UPDATE';
  const { waiting, release } = await lockRows(databaseUrl, lockUser, [userId]);
  const responses: Promise<{ status: number }>[] = [];
  const pending = new Set<number>();
  try {
    for (const [index, request] of requests.entries()) {
      pending.add(index);
      responses.push(request().finally(() => pending.delete(index)));
      // One that takes no lock of this row ends.
      await until(async () => !pending.has(index) || (await waiting()) >= pending.size);
    }
  } finally {
    await release();
  }
  return Promise.all(responses);
}
