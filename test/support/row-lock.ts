import { Client } from 'pg';

/** Two transactions that each wait for a lock form a chain: the second may wait for the first instead of the holder. */
const waitingFor = `
  WITH RECURSIVE chain AS (
    SELECT pg_backend_pid() AS pid
    UNION
    SELECT waiting.pid FROM pg_locks waiting JOIN chain ON chain.pid = ANY (pg_blocking_pids(waiting.pid))
    WHERE NOT waiting.granted)
  SELECT count(*)::int - 1 AS all,
    count(*) FILTER (WHERE pid <> pg_backend_pid() AND NOT pg_backend_pid() = ANY (pg_blocking_pids(pid)))::int AS indirect
  FROM chain`;

/**
 * How many wait for a lock of this connection, or for one that waits for it, and how many of them do the latter only. Others, such as
 * background jobs, do not count.
 */
export async function countWaitingFor(holder: Client): Promise<{ all: number; indirect: number }> {
  const { rows } = await holder.query<{ all: number; indirect: number }>(waitingFor);
  return rows[0]!;
}

async function begin(databaseUrl: string, sql: string, values: unknown[]): Promise<Client> {
  const holder = new Client({ connectionString: databaseUrl });
  // A test that fails leaves it open when its database is dropped.
  holder.on('error', () => undefined);
  await holder.connect();
  await holder.query('SET idle_in_transaction_session_timeout = 0');
  await holder.query('BEGIN');
  await holder.query(sql, values);
  return holder;
}

export interface RowLock {
  /** How many wait for these rows, or for one that waits for them. */
  waiting: () => Promise<number>;
  release: () => Promise<void>;
}

/** Locks rows as a long change of them does. */
export async function lockRows(databaseUrl: string, sql: string, values: unknown[]): Promise<RowLock> {
  const holder = await begin(databaseUrl, sql, values);
  return { waiting: async () => (await countWaitingFor(holder)).all, release: () => holder.end() };
}

interface OpenChange {
  /** How many wait for this change, or for one that waits for it. */
  waiting: () => Promise<number>;
  commit: () => Promise<void>;
}

/** A change that is not committed, so that others wait for it, until `commit` is called. */
export async function startChange(databaseUrl: string, sql: string, values: unknown[]): Promise<OpenChange> {
  const holder = await begin(databaseUrl, sql, values);
  const commit = async (): Promise<void> => {
    await holder.query('COMMIT');
    await holder.end();
  };
  return { waiting: async () => (await countWaitingFor(holder)).all, commit };
}
