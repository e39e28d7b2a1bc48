import type { Keyset } from './pagination.js';
import type { Parameters } from '../database/execute.js';

interface KeysetSql {
  /** The condition for the rows after the cursor. */
  follows: string;
  order: string;
  limit: string;
}

/** Returns the SQL fragments that select one page of a list. */
export function keysetSql({ key, direction, after, limit }: Keyset, parameters: Parameters): KeysetSql {
  const follows =
    after === undefined
      ? 'TRUE'
      : `(${key}, id) ${after.operator} (${parameters.add(after.value)}, ${parameters.add(after.id)})`;
  return { follows, order: `${key} ${direction}, id ${direction}`, limit: parameters.add(limit) };
}
