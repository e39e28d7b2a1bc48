/** The spread over several rounds. */
export interface Spread {
  median: number;
  least: number;
  most: number;
}

/** One row of the result table. */
export interface Row {
  work: string;
  /** Names contain the unit. */
  figures: Record<string, number | Spread>;
  /** Ratio to the reference; null without one. */
  ratio: number | null;
  must: string | null;
  aim: string | null;
  reached: 'aim' | 'must' | 'no' | null;
}

/** The required and the target value. */
export interface Goal {
  atLeast?: number;
  atMost?: number;
  aim?: number;
  unit: string;
}

interface Measurement {
  work: string;
  figures: Record<string, number | Spread>;
  ratio?: number;
  /** The value compared with the goal; default: the ratio. */
  value?: number;
  goal?: Goal;
}

const rounded = (value: number): number => Number(value.toPrecision(4));

const shortened = (figure: number | Spread): number | Spread =>
  typeof figure === 'number'
    ? rounded(figure)
    : { median: rounded(figure.median), least: rounded(figure.least), most: rounded(figure.most) };

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  return { median: at(Math.floor(sorted.length / 2)), least: at(0), most: at(sorted.length - 1) };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function evaluate(
  value: number,
  { atLeast, atMost, aim, unit }: Goal,
): Pick<Row, 'must' | 'aim' | 'reached'> {
  const sign = atLeast === undefined ? '≤' : '≥';
  const must = atLeast ?? atMost ?? Number.NaN;
  const isReached = (bound: number): boolean => (atLeast === undefined ? value <= bound : value >= bound);
  const text = (bound: number): string => `${sign} ${bound} ${unit}`;
  const reached = aim !== undefined && isReached(aim) ? 'aim' : isReached(must) ? 'must' : 'no';
  return { must: text(must), aim: aim === undefined ? null : text(aim), reached };
}

/** Also prints the row immediately, because a complete run takes long. */
export function row({ work, figures, ratio, value = ratio, goal }: Measurement): Row {
  const judged =
    goal === undefined || value === undefined
      ? { must: null, aim: null, reached: null }
      : evaluate(value, goal);
  const printed = value === undefined ? [] : [rounded(value), goal?.unit, judged.reached];
  console.error(['  ', work, ...printed].join(' '));
  return {
    work,
    figures: Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, shortened(figure)])),
    ratio: ratio === undefined ? null : rounded(ratio),
    ...judged,
  };
}

/** Prints the rows as the last line, which `bench/run.js` reads. */
export function printRows(rows: readonly Row[]): void {
  console.log(JSON.stringify(rows));
}
