import type { EntityManager, EntityTarget } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

/** A row that follows something in Power BI. */
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
  /** What is here already, retired rows included. */
  had: readonly T[];
  /** What Power BI has, as columns, and with the key among them. */
  found: readonly Fields<T>[];
  key: keyof Fields<T>;
  now: Date;
  /** When the sync began: what was missed before that is missing twice in a row. */
  began: Date;
}

/** What became of the rows; a row that is as it was counts nowhere and is not written. */
export interface ReconcileResult {
  changes: number;
  /** Ids of rows that were missing twice in a row and are retired now. */
  retired: string[];
}

const CHUNK_SIZE = 500;

const differs = <T extends Reconcilable>(row: T, fields: Fields<T>): boolean =>
  row.missingSince !== null ||
  row.retiredAt !== null ||
  Object.entries(fields).some(([name, value]) => read(row, name) !== value);

/**
 * Brings rows in line with what Power BI has, writing differences only. What is missing once is kept and marked, what is
 * missing again is retired; should it come back, it has its old id.
 */
export async function reconcile<T extends Reconcilable>(
  tx: EntityManager,
  work: Reconciliation<T>,
): Promise<ReconcileResult> {
  const { entity, found, key, now, began } = work;
  const had = new Map(work.had.map((row) => [row[key] as string, row]));
  const created = found.filter((fields) => !had.has(fields[key] as string));
  const rows = created.map((fields) => ({ ...fields, id: uuidv7(), updatedAt: now }));
  for (let start = 0; start < rows.length; start += CHUNK_SIZE) {
    await tx.insert(entity, rows.slice(start, start + CHUNK_SIZE) as never);
  }
  let changes = rows.length;
  for (const fields of found) {
    const row = had.get(fields[key] as string);
    had.delete(fields[key] as string);
    if (row === undefined || !differs(row, fields)) continue;
    await update(tx, entity, row, { ...fields, missingSince: null, retiredAt: null, updatedAt: now });
    changes += 1;
  }
  const retired = await markMissing(tx, entity, [...had.values()], { now, began });
  return { changes: changes + retired.length, retired };
}

/** `missing` are rows that Power BI did not name. */
async function markMissing<T extends Reconcilable>(
  tx: EntityManager,
  entity: EntityTarget<T>,
  missing: readonly T[],
  { now, began }: { now: Date; began: Date },
): Promise<string[]> {
  const retired: string[] = [];
  for (const row of missing.filter(({ retiredAt }) => retiredAt === null)) {
    if (row.missingSince === null) {
      await update(tx, entity, row, { missingSince: now });
    } else if (row.missingSince < began) {
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
