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
  const { entity, found, key, now, syncStartedAt } = work;
  const unseen = new Map(work.stored.map((row) => [row[key] as string, row]));
  const created = found.filter((fields) => !unseen.has(fields[key] as string));
  const rows = created.map((fields) => ({ ...fields, id: uuidv7(), updatedAt: now }));
  for (const chunk of chunksOf(rows, CHUNK_SIZE)) await tx.insert(entity, chunk as never);
  let changes = rows.length;
  for (const fields of found) {
    const row = unseen.get(fields[key] as string);
    unseen.delete(fields[key] as string);
    if (row === undefined || !differs(row, fields)) continue;
    await update(tx, entity, row, { ...fields, missingSince: null, retiredAt: null, updatedAt: now });
    changes += 1;
  }
  const retired = await markMissing(tx, entity, [...unseen.values()], { now, syncStartedAt });
  return { changes: changes + retired.length, retired };
}

/** `missing`: rows whose object Power BI did not return. */
async function markMissing<T extends Reconcilable>(
  tx: EntityManager,
  entity: EntityTarget<T>,
  missing: readonly T[],
  { now, syncStartedAt }: { now: Date; syncStartedAt: Date },
): Promise<string[]> {
  const retired: string[] = [];
  for (const row of missing.filter(({ retiredAt }) => retiredAt === null)) {
    if (row.missingSince === null) {
      await update(tx, entity, row, { missingSince: now });
    } else if (row.missingSince < syncStartedAt) {
      await update(tx, entity, row, { retiredAt: now });
      retired.push(row.id);
    }
  }
  return retired;
}

const update = <T extends Reconcilable>(
  tx: EntityManager,
  entity: EntityTarget<T>,
  { id }: T,
  changes: object,
) => tx.update(entity, { id }, changes);
