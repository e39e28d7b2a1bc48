import { columnKey, order, tableNamed, type Scalar } from './context.js';
import type { Value } from './model.js';

const numbers = (values: Value[]): number[] => values.filter((each) => typeof each === 'number');
const present = (values: Value[]): Value[] => values.filter((each) => each !== null);

/** Functions of one column; blank when there is no row. */
export const aggregates: Record<string, (values: Value[]) => Value> = {
  SUM: (values) => (values.length === 0 ? null : numbers(values).reduce((sum, each) => sum + each, 0)),
  AVERAGE: (values) =>
    values.length === 0 ? null : numbers(values).reduce((sum, each) => sum + each, 0) / values.length,
  MIN: (values) => present(values).toSorted(order)[0] ?? null,
  MAX: (values) => present(values).toSorted(order).at(-1) ?? null,
  COUNT: (values) => present(values).length || null,
  DISTINCTCOUNT: (values) => new Set(values).size || null,
};

export function aggregateOf(name: string, table: string, column: string): Scalar {
  return ({ model }) => {
    const key = columnKey(model, table, column);
    const rows = model.tables.get(tableNamed(model, table))!;
    return aggregates[name]!(rows.map((row) => row[key] ?? null));
  };
}
