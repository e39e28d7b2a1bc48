import type { DaxRow, Model } from './model.js';
import { Reader } from './reader.js';
import { readOrders, readTable, sorted } from './tables.js';

/** Result of `EVALUATE <table> [ORDER BY …]`. Throws DaxError. */
export function evaluate(model: Model, query: string): DaxRow[] {
  const reader = new Reader(query);
  reader.expect('EVALUATE');
  const table = readTable(reader);
  const isOrdered = reader.takes('ORDER');
  if (isOrdered) reader.expect('BY');
  const orders = isOrdered ? readOrders(reader, 'ASC') : [];
  if (reader.peek().kind !== 'end') throw reader.unexpected(reader.peek());
  return sorted(table({ model }), orders, { model });
}
