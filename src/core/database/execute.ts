import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import { type EntityManager, QueryRunnerAlreadyReleasedError } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { tracedStatement } from '../telemetry/tracing.js';

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

/** Collects the values of a statement whose conditions vary. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Returns the placeholder of the value. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

/** Prepared statement names by SQL text. Clients cannot add entries, because values are never part of a text. */
const names = new LRUCache<string, string>({ max: 1000 });

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = hash('sha1', text);
  names.set(text, name);
  return name;
}

/**
 * Runs a statement of a `<feature>.queries.ts` on `pg` directly, bypassing TypeORM, as a named prepared statement
 * (`DATABASE_PREPARED_STATEMENTS`). Inside a transaction it runs in that transaction. With `isNamed` false PostgreSQL plans each
 * execution for its values, as a search requires. Throws the errors of `pg`, and QueryRunnerAlreadyReleasedError once the
 * transaction has ended.
 */
export async function execute<T extends QueryResultRow>(
  { queryRunner, connection: { driver, options } }: EntityManager,
  text: string,
  values: unknown[],
  isNamed = true,
): Promise<QueryResult<T>> {
  const { prepares } = options.extra as { prepares: boolean };
  const query = { text, values, ...(prepares && isNamed && { name: nameOf(text) }) };
  const run = (client: PoolClient) => tracedStatement(text, () => client.query<T>(query));
  if (queryRunner !== undefined) {
    const client = (await queryRunner.connect()) as PoolClient;
    // After its release it returns the same connection, which another transaction may have by then.
    if (queryRunner.isReleased) throw new QueryRunnerAlreadyReleasedError();
    return run(client);
  }
  return withConnection((driver as PostgresDriver).master as Pool, run);
}

/** The same, for the rows alone. */
export async function queryRows<T extends QueryResultRow>(
  manager: EntityManager,
  text: string,
  values: unknown[],
  isNamed = true,
): Promise<T[]> {
  return (await execute<T>(manager, text, values, isNamed)).rows;
}

/** Changes a setting of PostgreSQL until the transaction ends. */
export const setLocal = (tx: EntityManager, setting: string, value: string): Promise<unknown> =>
  execute(tx, 'SELECT set_config($1, $2, true)', [setting, value]);

/** SQL: the parameters from `$first` on, which are arrays of these types: one for each column, with a value for each row. */
export const arrayParameters = (types: readonly string[], first: number): string[] =>
  types.map((type, index) => `$${first + index}::${type}[]`);

/** SQL: the values of the first row. Faster than `unnest` for a single row. */
export const firstRow = (arrays: readonly string[]): string =>
  arrays.map((values) => `(${values})[1]`).join(', ');
