import { aggregateOf, aggregates } from './aggregates.js';
import { columnKey, order, type Context, type Scalar, type TableExpression } from './context.js';
import type { Reader } from './reader.js';
import { DaxError } from './tokens.js';
import type { Value } from './model.js';

const comparisons: Record<string, (difference: number) => boolean> = {
  '=': (difference) => difference === 0,
  '<>': (difference) => difference !== 0,
  '<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
  '>': (difference) => difference > 0,
  '>=': (difference) => difference >= 0,
};

const arithmetic: Record<string, (one: number, other: number) => Value> = {
  '+': (one, other) => one + other,
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '/': (one, other) => (other === 0 ? null : one / other),
};

/** By rising precedence. */
const levels = [['||'], ['&&'], Object.keys(comparisons), ['+', '-'], ['*', '/']];

/** Reads a scalar expression; table expressions inside it are read by `table`. Throws DaxError. */
export function readScalar(reader: Reader, table: () => TableExpression, level = 0): Scalar {
  if (level === levels.length) return readOperand(reader, table);
  let left = readScalar(reader, table, level + 1);
  for (let mark = reader.takeOneOf(levels[level]!); mark; mark = reader.takeOneOf(levels[level]!)) {
    const [one, other, operator] = [left, readScalar(reader, table, level + 1), mark];
    left = (context) => operate(operator, one(context), () => other(context));
  }
  return left;
}

function operate(operator: string, one: Value, other: () => Value): Value {
  if (operator === '&&') return Boolean(one) && Boolean(other());
  if (operator === '||') return Boolean(one) || Boolean(other());
  const comparison = comparisons[operator];
  if (comparison) return comparison(order(one, other()));
  return arithmetic[operator]!(Number(one), Number(other()));
}

function readOperand(reader: Reader, table: () => TableExpression): Scalar {
  if (reader.takes('(')) {
    const inner = reader.nested(() => readScalar(reader, table));
    reader.expect(')');
    return inner;
  }
  if (reader.takes('-')) {
    const inner = reader.nested(() => readOperand(reader, table));
    return (context) => -Number(inner(context));
  }
  const token = reader.next();
  if (token.kind === 'number') return () => Number(token.text);
  if (token.kind === 'text') return () => token.text;
  if (token.kind === 'column') return (context) => unqualified(context, token.text);
  if (token.kind !== 'table' && token.kind !== 'word') throw reader.unexpected(token);
  const column = reader.takeColumn();
  if (column !== undefined)
    return (context) => current(context, columnKey(context.model, token.text, column));
  return readFunction(reader, token.text, table);
}

function readFunction(reader: Reader, word: string, table: () => TableExpression): Scalar {
  const name = word.toUpperCase();
  reader.expect('(');
  if (name === 'TRUE' || name === 'FALSE' || name === 'BLANK') {
    reader.expect(')');
    return () => (name === 'BLANK' ? null : name === 'TRUE');
  }
  if (name === 'COUNTROWS') {
    const rows = table();
    reader.expect(')');
    return (context) => rows(context).length || null;
  }
  if (!Object.hasOwn(aggregates, name))
    throw new DaxError(`The emulator does not know the function ${name}.`);
  const [owner, column] = reader.column();
  reader.expect(')');
  return aggregateOf(name, owner, column);
}

/** A measure, or a column that the query added. */
function unqualified(context: Context, name: string): Value {
  const own = context.row?.[`[${name}]`];
  if (own !== undefined) return own;
  const measure = [...context.model.measures].find(([each]) => each.toLowerCase() === name.toLowerCase());
  const [, table, column] = /^(.+)\[(.+)\]$/.exec(measure?.[1] ?? '') ?? [];
  if (table === undefined || column === undefined) {
    throw new DaxError(`The value for '${name}' cannot be determined.`);
  }
  return aggregateOf('SUM', table, column)(context);
}

function current({ row }: Context, key: string): Value {
  const value = row?.[key];
  if (value === undefined) throw new DaxError(`A single value for column '${key}' cannot be determined.`);
  return value;
}
