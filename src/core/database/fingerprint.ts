import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { execute } from './execute.js';

type Value = string | boolean | null;

const DELIMITER = ';';

/** Prefixed with the length, so that no two lists of values produce the same text. */
const written = (value: Value): string =>
  value === null ? '-' : `${Buffer.byteLength(String(value))}:${String(value)}`;

/**
 * Fingerprint of rows as Power BI lists them, key first. Equals `fingerprintSql` if the same rows are stored and none
 * is missing.
 */
export function fingerprint(rows: readonly (readonly [string, ...Value[]])[]): string {
  const sorted = rows.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const text = sorted.map((row) => row.map(written).join('')).join(DELIMITER);
  return `0 ${createHash('md5').update(text).digest('hex')}`;
}

/** SQL aggregate that computes the fingerprint of stored rows from `columns`, key first. */
function fingerprintSql(columns: readonly string[]): string {
  const row = columns.map(
    (column) => `coalesce(octet_length(${column}::text) || ':' || ${column}::text, '-')`,
  );
  const text = `string_agg(${row.join(' || ')}, '${DELIMITER}' ORDER BY ${columns[0]}::text COLLATE "C")`;
  return `count(missing_since) || ' ' || md5(${text})`;
}

/** Fingerprints by workspace id of the rows of a table that are not retired, from `columns`, key first. */
export async function storedFingerprints(
  manager: EntityManager,
  { table, columns }: { table: string; columns: readonly string[] },
  workspaceIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await execute<{ id: string; print: string }>(
    manager,
    `SELECT workspace_id AS id, ${fingerprintSql(columns)} AS print FROM ${table}
     WHERE workspace_id = ANY($1) AND retired_at IS NULL GROUP BY workspace_id`,
    [workspaceIds],
  );
  return new Map(rows.map(({ id, print }) => [id, print]));
}
