import { DaxError } from './tokens.js';
import type { DaxRow, Model, Value } from './model.js';

/** The rows that an expression sees: those of each table, and the current row of a table function. */
export interface Context {
  model: Model;
  row?: DaxRow;
}

export type Scalar = (context: Context) => Value;
export type TableExpression = (context: Context) => DaxRow[];

/** Name of the table regardless of its case. Throws DaxError. */
export function tableNamed({ tables }: Model, name: string): string {
  const found = [...tables.keys()].find((each) => each.toLowerCase() === name.toLowerCase());
  if (found === undefined) throw new DaxError(`Cannot find table '${name}'.`);
  return found;
}

/** Key of a column in the rows. Throws DaxError. */
export function columnKey(model: Model, table: string, column: string): string {
  const name = tableNamed(model, table);
  const wanted = `${name}[${column}]`.toLowerCase();
  const [first] = model.tables.get(name)!;
  const key = Object.keys(first ?? { [`${name}[${column}]`]: null }).find(
    (each) => each.toLowerCase() === wanted,
  );
  if (key === undefined) throw new DaxError(`Column '${column}' in table '${name}' cannot be found.`);
  return key;
}

/** The context in which only these rows of the table exist. */
export function narrowed(context: Context, table: string, rows: DaxRow[]): Context {
  const tables = new Map([...context.model.tables, [table, rows] as const]);
  return { ...context, model: { ...context.model, tables } };
}

export function distinct(rows: DaxRow[]): DaxRow[] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

/** Texts without regard to case; blank first. */
export function order(one: Value, other: Value): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? -1 : 1;
  if (typeof one === 'string' && typeof other === 'string') {
    const [left, right] = [one.toLowerCase(), other.toLowerCase()];
    return left === right ? 0 : left < right ? -1 : 1;
  }
  return Number(one) - Number(other);
}
