import { Client } from 'pg';
import { countWaitingFor } from './row-lock.js';
import { until } from './until.js';

export interface TableLock {
  /**
   * Waits until at least `count` statements that contain the text wait for the lock. Others, such as those of background
   * jobs, do not count.
   */
  blocks: (text: string, count?: number) => Promise<void>;
  /** Waits until no statement that contains the text waits for the lock. */
  blocksNo: (text: string) => Promise<void>;
  /** How many wait not for the lock, but for one that waits for it. */
  indirectlyWaiting: () => Promise<number>;
  release: () => Promise<void>;
}

/** Locks a table, so that requests that use it hang until the lock is released. */
export async function lockTable(databaseUrl: string, table: string): Promise<TableLock> {
  const [holder, observer] = [
    new Client({ connectionString: databaseUrl }),
    new Client({ connectionString: databaseUrl }),
  ];
  // After a failed test the database may be dropped before the lock is released.
  for (const client of [holder, observer]) client.on('error', () => undefined);
  await Promise.all([holder.connect(), observer.connect()]);
  await holder.query('SET idle_in_transaction_session_timeout = 0');
  await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  const statements = async (text: string): Promise<number> => {
    const { rows } = await observer.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE relation = $1::regclass AND NOT granted AND strpos(lower(query), lower($2)) > 0`,
      [table, text],
    );
    return rows[0]?.waiting ?? 0;
  };
  return {
    blocks: async (text, count = 1) => {
      await until(async () => (await statements(text)) >= count);
    },
    blocksNo: async (text) => {
      await until(async () => (await statements(text)) === 0);
    },
    indirectlyWaiting: async () => (await countWaitingFor(holder)).indirect,
    release: async () => {
      await Promise.all([holder.end(), observer.end()]);
    },
  };
}
