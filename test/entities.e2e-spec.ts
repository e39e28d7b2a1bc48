import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Service, startService } from './support/service.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** TypeORM's own, and the one that rate-limiter-flexible reads and writes. */
const withoutEntity = ['migrations', 'rate_limits'];

test('every table has an entity, and every column of an entity exists', async () => {
  const { database } = service;
  // Without the partitions, which are read and written through their table.
  const rows = await database.query<{ table: string; columns: string[] }[]>(
    `SELECT relname AS table, array_agg(attname::text ORDER BY attname) AS columns
     FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
     GROUP BY relname`,
  );
  const tables = new Map(rows.map(({ table, columns }) => [table, columns]));
  const entities = database.entityMetadatas.filter(({ tableType }) => tableType === 'regular');
  expect([...entities.map(({ tableName }) => tableName), ...withoutEntity].toSorted()).toEqual(
    [...tables.keys()].toSorted(),
  );
  const unknown = entities.flatMap(({ tableName, columns }) =>
    columns
      .map(({ databaseName }) => `${tableName}.${databaseName}`)
      .filter((name) => !tables.get(tableName)?.includes(name.split('.')[1] ?? '')),
  );
  expect(unknown).toEqual([]);
});
