import {
  columnKey,
  distinct,
  narrowed,
  order,
  tableNamed,
  type Context,
  type Scalar,
  type TableExpression,
} from './context.js';
import type { DaxRow, Value } from './model.js';
import type { Reader } from './reader.js';
import { readScalar } from './scalars.js';
import { DaxError } from './tokens.js';

const functions: Record<string, (reader: Reader) => TableExpression> = {
  VALUES: readValues,
  DISTINCT: readValues,
  ALL: readValues,
  ROW: readRow,
  TOPN: readTopN,
  FILTER: readFilter,
  SUMMARIZECOLUMNS: readSummary,
};

/** Reads a table expression. Throws DaxError. */
export function readTable(reader: Reader): TableExpression {
  if (reader.takes('(')) {
    const inner = readTable(reader);
    reader.expect(')');
    return inner;
  }
  const token = reader.next();
  if (token.kind !== 'table' && token.kind !== 'word') throw reader.unexpected(token);
  if (token.kind === 'table' || !reader.takes('(')) {
    return ({ model }) => model.tables.get(tableNamed(model, token.text))!;
  }
  const name = token.text.toUpperCase();
  if (!Object.hasOwn(functions, name)) throw new DaxError(`The emulator does not know the function ${name}.`);
  const expression = reader.nested(() => functions[name]!(reader));
  reader.expect(')');
  return expression;
}

export function scalarOf(reader: Reader): Scalar {
  return readScalar(reader, () => readTable(reader));
}

function readValues(reader: Reader): TableExpression {
  if (!reader.isColumn()) {
    const inner = readTable(reader);
    return (context) => distinct(inner(context));
  }
  const column = reader.column();
  return (context) => columnsOf(context, [column]);
}

function columnsOf({ model }: Context, columns: [string, string][]): DaxRow[] {
  const table = tableNamed(model, columns[0]![0]);
  const keys = columns.map(([owner, column]) => columnKey(model, owner, column));
  const rows = model.tables.get(table)!;
  return distinct(rows.map((row) => Object.fromEntries(keys.map((key) => [key, row[key] ?? null]))));
}

/** `"Name", expression` pairs. */
function readPairs(reader: Reader): [string, Scalar][] {
  const pairs: [string, Scalar][] = [];
  do {
    const name = reader.takeText();
    if (name === undefined) throw reader.unexpected(reader.peek());
    reader.expect(',');
    pairs.push([`[${name}]`, scalarOf(reader)]);
  } while (reader.takes(','));
  return pairs;
}

function evaluated(pairs: [string, Scalar][], context: Context): DaxRow {
  return Object.fromEntries(pairs.map(([name, value]) => [name, value(context)]));
}

function readRow(reader: Reader): TableExpression {
  const pairs = readPairs(reader);
  return (context) => [evaluated(pairs, context)];
}

function readFilter(reader: Reader): TableExpression {
  const table = readTable(reader);
  reader.expect(',');
  const condition = scalarOf(reader);
  return (context) => table(context).filter((row) => condition({ ...context, row }) === true);
}

/** Ties are included in DAX; the emulator cuts them off. */
function readTopN(reader: Reader): TableExpression {
  const count = scalarOf(reader);
  reader.expect(',');
  const table = readTable(reader);
  const orders = reader.takes(',') ? readOrders(reader, 'DESC') : [];
  return (context) => sorted(table(context), orders, context).slice(0, Number(count(context)));
}

export interface Order {
  by: Scalar;
  isDescending: boolean;
}

/** In `TOPN` a comma precedes the direction, and the default differs. */
export function readOrders(reader: Reader, byDefault: 'ASC' | 'DESC'): Order[] {
  const orders: Order[] = [];
  do {
    const by = scalarOf(reader);
    const next = reader.peek(1).text.toUpperCase();
    if (reader.peek().text === ',' && (next === 'ASC' || next === 'DESC')) reader.expect(',');
    orders.push({ by, isDescending: (reader.takeOneOf(['ASC', 'DESC']) ?? byDefault) === 'DESC' });
  } while (reader.takes(','));
  return orders;
}

export function sorted(rows: DaxRow[], orders: Order[], context: Context): DaxRow[] {
  const keyed = rows.map((row) => ({ row, keys: orders.map(({ by }) => by({ ...context, row })) }));
  return keyed.toSorted((one, other) => compareKeys(one.keys, other.keys, orders)).map(({ row }) => row);
}

function compareKeys(one: Value[], other: Value[], orders: Order[]): number {
  for (const [at, { isDescending }] of orders.entries()) {
    const difference = order(one[at]!, other[at]!);
    if (difference !== 0) return isDescending ? -difference : difference;
  }
  return 0;
}

/** Groups by columns of one table, within the rows that the filter tables leave. */
function readSummary(reader: Reader): TableExpression {
  const columns: [string, string][] = [];
  const filters: TableExpression[] = [];
  let pairs: [string, Scalar][] = [];
  do {
    if (reader.peek().kind === 'text') pairs = readPairs(reader);
    else if (reader.isColumn()) columns.push(reader.column());
    else filters.push(readTable(reader));
  } while (reader.takes(','));
  if (columns.length === 0) throw new DaxError('SUMMARIZECOLUMNS requires a column to group by.');
  return (context) => summary(context, columns, filters, pairs);
}

function summary(
  context: Context,
  columns: [string, string][],
  filters: TableExpression[],
  pairs: [string, Scalar][],
): DaxRow[] {
  const table = tableNamed(context.model, columns[0]![0]);
  const kept = filters.reduce((rows, filter) => {
    const allowed = filter(context);
    return rows.filter((row) => allowed.some((each) => covers(row, each)));
  }, context.model.tables.get(table)!);
  const filtered = narrowed(context, table, kept);
  const groups = columnsOf(filtered, columns).map((group) => {
    const rows = kept.filter((row) => covers(row, group));
    return { ...group, ...evaluated(pairs, narrowed(filtered, table, rows)) };
  });
  return pairs.length === 0 ? groups : groups.filter((row) => pairs.some(([name]) => row[name] !== null));
}

function covers(row: DaxRow, group: DaxRow): boolean {
  return Object.entries(group).every(([key, value]) => row[key] === value);
}
