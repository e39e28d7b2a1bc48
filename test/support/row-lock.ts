import { Client } from 'pg';

/** Locks rows as a long change of them does; `release` ends it. */
export async function lockRows(
  databaseUrl: string,
  sql: string,
  values: unknown[],
): Promise<() => Promise<void>> {
  const holder = new Client({ connectionString: databaseUrl });
  await holder.connect();
  await holder.query('SET idle_in_transaction_session_timeout = 0');
  await holder.query('BEGIN');
  await holder.query(sql, values);
  return () => holder.end();
}
