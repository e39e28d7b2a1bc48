import { Client } from 'pg';

async function begin(databaseUrl: string, sql: string, values: unknown[]): Promise<Client> {
  const holder = new Client({ connectionString: databaseUrl });
  await holder.connect();
  await holder.query('SET idle_in_transaction_session_timeout = 0');
  await holder.query('BEGIN');
  await holder.query(sql, values);
  return holder;
}

/** Locks rows as a long change of them does; `release` ends it. */
export async function lockRows(
  databaseUrl: string,
  sql: string,
  values: unknown[],
): Promise<() => Promise<void>> {
  const holder = await begin(databaseUrl, sql, values);
  return () => holder.end();
}

/** A change that is not committed, so that others wait for it, until `commit` is called. */
export async function startChange(
  databaseUrl: string,
  sql: string,
  values: unknown[],
): Promise<() => Promise<void>> {
  const holder = await begin(databaseUrl, sql, values);
  return async () => {
    await holder.query('COMMIT');
    await holder.end();
  };
}
