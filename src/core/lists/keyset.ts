import type { Keyset } from './pagination.js';
import type { Parameters } from '../database/execute.js';

interface KeysetSql {
  /** The condition for the rows after the cursor. */
  follows: string;
  /** The same for a table with another column for the id. */
  followsBy: (id: string) => string;
  order: string;
  limit: string;
}

/** Returns the SQL fragments that select one page of a list. */
export function keysetSql({ key, direction, after, limit }: Keyset, parameters: Parameters): KeysetSql {
  const position = after && `${after.operator} (${parameters.add(after.value)}, ${parameters.add(after.id)})`;
  const followsBy = (id: string): string => (position === undefined ? 'TRUE' : `(${key}, ${id}) ${position}`);
  return {
    follows: followsBy('id'),
    followsBy,
    order: `${key} ${direction}, id ${direction}`,
    limit: parameters.add(limit),
  };
}
