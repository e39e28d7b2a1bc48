/** Of several rounds. */
export interface Spread {
  median: number;
  least: number;
  most: number;
}

/** One line of the table: what was measured, and what it is held against. */
export interface Row {
  work: string;
  /** Each named with its unit. */
  figures: Record<string, number | Spread>;
  /** To what it was measured beside; null where it stands alone. */
  ratio: number | null;
  must: string | null;
  aim: string | null;
  reached: 'aim' | 'must' | 'no' | null;
}

/** What a value must be, at least or at most, and what it is meant to be. */
export interface Goal {
  atLeast?: number;
  atMost?: number;
  aim?: number;
  unit: string;
}

interface Measured {
  work: string;
  figures: Record<string, number | Spread>;
  ratio?: number;
  /** What the goal is about, where that is not the ratio. */
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

function judge(value: number, { atLeast, atMost, aim, unit }: Goal): Pick<Row, 'must' | 'aim' | 'reached'> {
  const sign = atLeast === undefined ? '≤' : '≥';
  const must = atLeast ?? atMost ?? Number.NaN;
  const isThere = (bound: number): boolean => (atLeast === undefined ? value <= bound : value >= bound);
  const text = (bound: number): string => `${sign} ${bound} ${unit}`;
  const reached = aim !== undefined && isThere(aim) ? 'aim' : isThere(must) ? 'must' : 'no';
  return { must: text(must), aim: aim === undefined ? null : text(aim), reached };
}

/** Says it at once, too: a whole run takes long. */
export function row({ work, figures, ratio, value = ratio, goal }: Measured): Row {
  const judged =
    goal === undefined || value === undefined ? { must: null, aim: null, reached: null } : judge(value, goal);
  const said = value === undefined ? [] : [rounded(value), goal?.unit, judged.reached];
  console.error(['  ', work, ...said].join(' '));
  return {
    work,
    figures: Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, shortened(figure)])),
    ratio: ratio === undefined ? null : rounded(ratio),
    ...judged,
  };
}

/** What `bench/run.js` reads: the last line that a benchmark prints. */
export function tell(rows: readonly Row[]): void {
  console.log(JSON.stringify(rows));
}
