import type { EntityManager } from 'typeorm';
import { execute, Parameters, queryRows } from '../database/execute.js';

/** SQL: a condition of the client on the rows, whose values it adds to the parameters. */
export type OffsetCondition = (parameters: Parameters) => string;

export interface Offset {
  offset: number;
  limit: number;
}

interface Listed {
  columns: string;
  /** SQL from FROM on, which `condition` restricts further. */
  from: string;
  condition: OffsetCondition;
}

/**
 * One page of a list in the order of creation, and the number of all rows. The statements are not named: a filter of the
 * client determines their text.
 */
export async function offsetPage<T extends object>(
  manager: EntityManager,
  { columns, from, condition }: Listed,
  { offset, limit }: Offset,
): Promise<{ total: number; items: T[] }> {
  const parameters = new Parameters();
  const matching = `${from} AND (${condition(parameters)})`;
  const count = `SELECT count(*)::int AS total ${matching}`;
  const { rows } = await execute<{ total: number }>(manager, count, parameters.values, false);
  const total = rows[0]?.total ?? 0;
  if (limit === 0 || offset >= total) return { total, items: [] };
  const page = `LIMIT ${parameters.add(limit)} OFFSET ${parameters.add(offset)}`;
  const text = `SELECT ${columns} ${matching} ORDER BY id ${page}`;
  return { total, items: await queryRows<T>(manager, text, parameters.values, false) };
}
