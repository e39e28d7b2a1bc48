/** One row of a demo table. All themes have the same columns under different names. */
export interface Row {
  month: string;
  category: string;
  series: string;
  detail: string;
  /** Owner of the row, which `USERNAME()` is compared with. */
  person: string;
  amount: number;
  count: number;
}

export interface Theme {
  measure: string;
  unit: string;
  count: string;
  category: string;
  series: string;
  detail: string;
  person: string;
  categories: string[];
  seriesNames: string[];
  details: string[];
}

export const themes: Record<string, Theme> = {
  sales: {
    measure: 'Revenue',
    unit: '€',
    count: 'Orders',
    category: 'Region',
    series: 'Product',
    detail: 'Customer',
    person: 'Representative',
    categories: ['Europe', 'Americas'],
    seriesNames: ['Sensors', 'Controllers', 'Service'],
    details: ['Alder Mills', 'Birch & Sons', 'Cedar Works', 'Dogwood Ltd', 'Elm Foods', 'Fir Logistics'],
  },
  finance: {
    measure: 'Amount',
    unit: '€',
    count: 'Postings',
    category: 'Cost centre',
    series: 'Account',
    detail: 'Entry',
    person: 'Owner',
    categories: ['Production', 'Sales', 'Administration', 'Research'],
    seriesNames: ['Personnel', 'Material', 'Energy', 'Travel'],
    details: ['Payroll', 'Invoice', 'Accrual', 'Transfer'],
  },
  operations: {
    measure: 'Delivered',
    unit: 't',
    count: 'Shipments',
    category: 'Plant',
    series: 'Carrier',
    detail: 'Route',
    person: 'Dispatcher',
    categories: ['Lyon', 'Graz', 'Porto', 'Dresden'],
    seriesNames: ['Rail', 'Road', 'Sea'],
    details: ['North', 'South', 'Coast', 'Alps', 'Overseas'],
  },
  people: {
    measure: 'Headcount',
    unit: 'FTE',
    count: 'Changes',
    category: 'Department',
    series: 'Contract',
    detail: 'Grade',
    person: 'Lead',
    categories: ['Engineering', 'Operations', 'Sales', 'Finance'],
    seriesNames: ['Permanent', 'Temporary', 'Apprentice'],
    details: ['Junior', 'Professional', 'Senior', 'Principal'],
  },
};

/** Users who own rows. All other users see no row of a dataset with row-level security. */
export const people = ['admin@vitrine.example', 'ada@vitrine.example', 'ben@vitrine.example'];

/** A past year, the same in every run. */
const months = Array.from({ length: 12 }, (_, index) => `2025-${String(index + 1).padStart(2, '0')}`);

const made = new Map<string, Row[]>();

/** The table of a theme, identical in every run. */
export function tableOf(name: string): Row[] {
  const rows = made.get(name) ?? makeTable(themes[name]!, name);
  made.set(name, rows);
  return rows;
}

function makeTable(theme: Theme, name: string): Row[] {
  const next = figures(name.length * 7919);
  return months.flatMap((month, at) =>
    theme.categories.flatMap((category) =>
      theme.seriesNames.map((series, index) => {
        const detail = theme.details[Math.floor(next() * theme.details.length)]!;
        const person = personFor(theme.categories.indexOf(category), next());
        const season = 1 + 0.35 * Math.sin((at / 12) * Math.PI * 2) + at * 0.03;
        const count = 4 + Math.floor(next() * 30);
        const amount = Math.round((900 + next() * 700) * season * (1.6 - index * 0.4));
        return { month, category, series, detail, person, amount, count };
      }),
    ),
  );
}

/** Categories alternate: most rows belong to Ada in one and to Ben in the next; the admin owns some in every category. */
function personFor(category: number, chance: number): string {
  if (chance < 0.15) return people[0]!;
  const home = category % 2 === 0 ? 1 : 2;
  return people[chance < 0.85 ? home : 3 - home]!;
}

/** A linear congruential generator: random-looking values that are the same in every run. */
function figures(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}
