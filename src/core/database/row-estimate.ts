/** Up to this many rows are counted exactly, in the order of an index. */
const COUNTED = 10_000;

/**
 * SQL expression: the number of rows, `FROM` and `WHERE` of a statement. Counted if there are few; otherwise as PostgreSQL
 * estimates it since the last ANALYZE, because counting millions of rows for a metric costs more than it tells. An index has
 * the rows.
 */
export const countOrEstimate = (rows: string, estimate: string): string =>
  `(SELECT CASE WHEN few <= ${COUNTED} THEN few ELSE greatest(few, ${estimate}) END::float8
    FROM (SELECT count(*) AS few FROM (SELECT FROM ${rows} LIMIT ${COUNTED + 1}) AS first) AS counted)`;

/** SQL expression: the number of rows whose column is not null, counted or estimated. The column is indexed. */
export const rowEstimate = (table: string, column: string): string =>
  countOrEstimate(
    `${table} WHERE ${column} IS NOT NULL`,
    `(SELECT (max(reltuples) * (1 - coalesce(max(null_frac), 0)))::bigint
      FROM pg_class LEFT JOIN pg_stats ON quote_ident(schemaname) = relnamespace::regnamespace::text AND tablename = relname
        AND attname = '${column}'
      WHERE pg_class.oid = '${table}'::regclass)`,
  );
