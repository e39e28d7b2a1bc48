import { Client } from 'pg';

export interface TableLock {
  /** How many queries wait for it. */
  waiting: () => Promise<number>;
  release: () => Promise<void>;
}

/** Keeps everybody from a table, so that a request is at work for as long as a test wants. */
export async function lockTable(databaseUrl: string, table: string): Promise<TableLock> {
  const [holder, looker] = [
    new Client({ connectionString: databaseUrl }),
    new Client({ connectionString: databaseUrl }),
  ];
  await Promise.all([holder.connect(), looker.connect()]);
  await holder.query('SET idle_in_transaction_session_timeout = 0');
  await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  return {
    waiting: async () => {
      const { rows } = await looker.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM pg_locks WHERE relation = $1::regclass AND NOT granted`,
        [table],
      );
      return rows[0]?.waiting ?? 0;
    },
    release: async () => {
      await Promise.all([holder.end(), looker.end()]);
    },
  };
}
