import { createHash } from 'node:crypto';
import type { ObjectLiteral, Repository } from 'typeorm';
import { execute } from './execute.js';

type Value = string | boolean | null;

const DELIMITER = ';';

/** Prefixed with the length, so that no two lists of values produce the same text. */
const written = (value: Value): string =>
  value === null ? '-' : `${Buffer.byteLength(String(value))}:${String(value)}`;

/**
 * Fingerprint of these fields, key first, of rows as Power BI lists them. Equals `fingerprintSql` if the same rows are stored
 * and none is missing.
 */
export function fingerprint<F extends string>(
  rows: readonly Readonly<Record<F, Value>>[],
  fields: readonly F[],
): string {
  const values = rows.map((row) => fields.map((field) => row[field]));
  const sorted = values.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
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

/** Fingerprints by workspace id of the stored rows that are not retired, from these fields, key first. */
export async function storedFingerprints<T extends ObjectLiteral>(
  { manager, metadata }: Repository<T>,
  fields: readonly (keyof T & string)[],
  workspaceIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const columns = fields.map((field) => metadata.findColumnWithPropertyName(field)?.databaseName ?? field);
  const { rows } = await execute<{ id: string; print: string }>(
    manager,
    `SELECT workspace_id AS id, ${fingerprintSql(columns)} AS print FROM ${metadata.tableName}
     WHERE workspace_id = ANY($1) AND retired_at IS NULL GROUP BY workspace_id`,
    [workspaceIds],
  );
  return new Map(rows.map(({ id, print }) => [id, print]));
}
