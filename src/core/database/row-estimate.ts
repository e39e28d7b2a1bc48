/** Up to this many rows are counted exactly, in the order of an index. */
const COUNTED = 10_000;

/**
 * SQL expression: the number of rows whose column is not null. Counted if there are few; otherwise as PostgreSQL estimates it
 * since the last ANALYZE, because counting millions of rows for a metric costs more than it tells. The column is indexed.
 */
export const rowEstimate = (table: string, column: string): string =>
  `(SELECT CASE WHEN few <= ${COUNTED} THEN few ELSE greatest(few, estimated) END::float8
    FROM (SELECT count(*) AS few FROM (
        SELECT FROM ${table} WHERE ${column} IS NOT NULL LIMIT ${COUNTED + 1}) AS first) AS counted,
      (SELECT (max(reltuples) * (1 - coalesce(max(null_frac), 0)))::bigint AS estimated
       FROM pg_class LEFT JOIN pg_stats ON schemaname = relnamespace::regnamespace::text AND tablename = relname
         AND attname = '${column}'
       WHERE pg_class.oid = '${table}'::regclass) AS planner)`;
