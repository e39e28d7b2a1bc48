import { themes, type Row } from '../embed/demo-data.js';
import type { Dataset } from '../content/model.js';

export type Value = string | number | boolean | null;
/** A row of a table; the keys are `Table[Column]`, or `[Name]` of an added column. */
export type DaxRow = Record<string, Value>;

export interface Model {
  /** By name. */
  tables: Map<string, DaxRow[]>;
  /** Sums that the demo model defines, by name: the column that they sum. */
  measures: Map<string, string>;
}

/** The demo table with these rows, and the tables of a seed. */
export function modelOf(dataset: Dataset, rows: Row[]): Model {
  const theme = dataset.data ?? 'sales';
  const table = theme.charAt(0).toUpperCase() + theme.slice(1);
  const names = themes[theme] ?? themes.sales!;
  const column = (name: string) => `${table}[${name}]`;
  const demo = rows.map((row) => ({
    [column('Month')]: row.month,
    [column(names.category)]: row.category,
    [column(names.series)]: row.series,
    [column(names.detail)]: row.detail,
    [column(names.person)]: row.person,
    [column(names.measure)]: row.amount,
    [column(names.count)]: row.count,
  }));
  const own = Object.entries(dataset.tables ?? {}).map(
    ([name, list]) => [name, list.map((row) => named(name, row as DaxRow))] as const,
  );
  const measures = [names.measure, names.count].map((name) => [`Total ${name}`, column(name)] as const);
  return { tables: new Map([[table, demo], ...own]), measures: new Map(measures) };
}

function named(table: string, row: DaxRow): DaxRow {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [`${table}[${name}]`, value]));
}
