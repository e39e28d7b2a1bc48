import { Client } from 'pg';

export interface TableLock {
  /** Number of queries that wait for the lock. */
  waiting: () => Promise<number>;
  release: () => Promise<void>;
}

/** Locks a table, so that requests that use it hang until the lock is released. */
export async function lockTable(databaseUrl: string, table: string): Promise<TableLock> {
  const [holder, observer] = [
    new Client({ connectionString: databaseUrl }),
    new Client({ connectionString: databaseUrl }),
  ];
  await Promise.all([holder.connect(), observer.connect()]);
  await holder.query('SET idle_in_transaction_session_timeout = 0');
  await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  return {
    waiting: async () => {
      const { rows } = await observer.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM pg_locks WHERE relation = $1::regclass AND NOT granted`,
        [table],
      );
      return rows[0]?.waiting ?? 0;
    },
    release: async () => {
      await Promise.all([holder.end(), observer.end()]);
    },
  };
}
