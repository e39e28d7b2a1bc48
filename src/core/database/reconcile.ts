import type { EntityManager, EntityTarget } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { chunksOf } from '../lists/chunks.js';

/** A row that mirrors an object in Power BI. */
export interface Reconcilable {
  id: string;
  missingSince: Date | null;
  retiredAt: Date | null;
  updatedAt: Date;
}

type Fields<T> = Partial<Omit<T, keyof Reconcilable>>;

const read = (row: object, name: PropertyKey): unknown => (row as Record<PropertyKey, unknown>)[name];

interface Reconciliation<T extends Reconcilable> {
  entity: EntityTarget<T>;
  /** Stored rows, including retired ones. */
  stored: readonly T[];
  /** Objects in Power BI, as column values that include the key. */
  found: readonly Fields<T>[];
  key: keyof Fields<T>;
  now: Date;
  /** Start of the sync: a row that was already missing before it is missing for the second consecutive time. */
  syncStartedAt: Date;
  /** Ids of other rows, which are retired without being counted. */
  superseded?: readonly string[];
}

interface RowUpdate {
  id: string;
  values: object;
}

/** Result of a reconciliation. Unchanged rows are neither written nor counted. */
export interface ReconcileResult {
  changes: number;
  /** Ids of rows that were retired because they were missing in two consecutive syncs. */
  retired: string[];
}

const CHUNK_SIZE = 500;

const differs = <T extends Reconcilable>(row: T, fields: Fields<T>): boolean =>
  row.missingSince !== null ||
  row.retiredAt !== null ||
  Object.entries(fields).some(([name, value]) => read(row, name) !== value);

/**
 * Reconciles rows with Power BI and writes only differences. A row that is missing once is marked, a row that is
 * missing again is retired; an object that reappears keeps its id.
 */
export async function reconcile<T extends Reconcilable>(
  tx: EntityManager,
  work: Reconciliation<T>,
): Promise<ReconcileResult> {
  const { entity, found, key, now, syncStartedAt, superseded = [] } = work;
  const unseen = new Map(work.stored.map((row) => [row[key] as string, row]));
  const created = found.filter((fields) => !unseen.has(fields[key] as string));
  const rows = created.map((fields) => ({ ...fields, id: uuidv7(), updatedAt: now }));
  for (const chunk of chunksOf(rows, CHUNK_SIZE)) await tx.insert(entity, chunk as never);
  const changed: RowUpdate[] = [];
  for (const fields of found) {
    const row = unseen.get(fields[key] as string);
    unseen.delete(fields[key] as string);
    if (row === undefined || !differs(row, fields)) continue;
    changed.push({ id: row.id, values: { ...fields, missingSince: null, retiredAt: null, updatedAt: now } });
  }
  const { missed, retired } = missingAmong([...unseen.values()], syncStartedAt);
  const retiring = [...retired, ...superseded].map((id) => ({ id, values: { retiredAt: now } }));
  const missing = missed.map((id) => ({ id, values: { missingSince: now } }));
  await update(tx, entity, [...changed, ...missing, ...retiring]);
  return { changes: rows.length + changed.length + retired.length, retired };
}

/** `unseen`: rows whose object Power BI did not return. Returns ids. */
function missingAmong(
  unseen: readonly Reconcilable[],
  syncStartedAt: Date,
): { missed: string[]; retired: string[] } {
  const present = unseen.filter(({ retiredAt }) => retiredAt === null);
  const missed = present.filter(({ missingSince }) => missingSince === null);
  const retired = present.filter(({ missingSince }) => missingSince !== null && missingSince < syncStartedAt);
  return { missed: missed.map(({ id }) => id), retired: retired.map(({ id }) => id) };
}

/** In the order of the ids, in which all transactions lock workspaces and reports. */
async function update<T extends Reconcilable>(
  tx: EntityManager,
  entity: EntityTarget<T>,
  updates: readonly RowUpdate[],
): Promise<void> {
  for (const { id, values } of updates.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    await tx.update(entity, id, values);
}
