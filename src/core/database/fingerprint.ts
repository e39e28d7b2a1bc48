import { createHash } from 'node:crypto';

type Value = string | boolean | null;

const DELIMITER = ';';

/** Each with its length, so that no two lists of values look alike. */
const written = (value: Value): string =>
  value === null ? '-' : `${Buffer.byteLength(String(value))}:${String(value)}`;

/** Of rows as Power BI lists them, their keys first; equals `fingerprintSql` when the same is stored and none is missing. */
export function fingerprint(rows: readonly (readonly [string, ...Value[]])[]): string {
  const sorted = rows.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const text = sorted.map((row) => row.map(written).join('')).join(DELIMITER);
  return `0 ${createHash('md5').update(text).digest('hex')}`;
}

/** The same of rows that are stored: an aggregate over `columns`, the key first. */
export function fingerprintSql(columns: readonly string[]): string {
  const row = columns.map(
    (column) => `coalesce(octet_length(${column}::text) || ':' || ${column}::text, '-')`,
  );
  const text = `string_agg(${row.join(' || ')}, '${DELIMITER}' ORDER BY ${columns[0]}::text COLLATE "C")`;
  return `count(missing_since) || ' ' || md5(${text})`;
}
