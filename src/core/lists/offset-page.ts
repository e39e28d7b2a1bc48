import type { EntityManager } from 'typeorm';
import { execute, type Parameters, queryRows } from '../database/execute.js';

interface Listed {
  columns: string;
  /** SQL from FROM on, whose values are in the parameters. */
  from: string;
  parameters: Parameters;
}

/**
 * One page of a list in the order of creation, and the number of all rows. The statements are not named: a filter of the
 * client determines their text.
 */
export async function offsetPage<T extends object>(
  manager: EntityManager,
  { columns, from, parameters }: Listed,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; items: T[] }> {
  const count = `SELECT count(*)::int AS total ${from}`;
  const { rows } = await execute<{ total: number }>(manager, count, parameters.values, false);
  const total = rows[0]?.total ?? 0;
  if (limit === 0 || offset >= total) return { total, items: [] };
  const page = `LIMIT ${parameters.add(limit)} OFFSET ${parameters.add(offset)}`;
  const text = `SELECT ${columns} ${from} ORDER BY id ${page}`;
  return { total, items: await queryRows<T>(manager, text, parameters.values, false) };
}
