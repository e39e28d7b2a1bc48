import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { withConnection } from './borrowed-connection.js';
import { tracedStatement } from './tracing.js';

/** Names of prepared statements; as many as there are shapes of queries, which no caller can multiply. */
const names = new LRUCache<string, string>({ max: 1000 });

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = hash('sha1', text);
  names.set(text, name);
  return name;
}

/**
 * Says a statement that is said all day: past TypeORM, which takes longer to pass it on than PostgreSQL to carry it out,
 * and prepared once on each connection (`DATABASE_PREPARED_STATEMENTS`). In a transaction it is a part of that. Throws
 * the errors of `pg` as they are. Without `hasOnePlan` it is planned each time, for the values that it has then.
 */
export async function prepared<T extends QueryResultRow>(
  { queryRunner, connection: { driver, options } }: EntityManager,
  text: string,
  values: unknown[],
  hasOnePlan = true,
): Promise<QueryResult<T>> {
  const { prepares } = options.extra as { prepares: boolean };
  const query = { text, values, ...(prepares && hasOnePlan && { name: nameOf(text) }) };
  const say = (client: PoolClient) => tracedStatement(text, () => client.query<T>(query));
  if (queryRunner !== undefined) return say((await queryRunner.connect()) as PoolClient);
  return withConnection((driver as PostgresDriver).master as Pool, say);
}
