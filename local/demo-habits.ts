/** How the demo's users open a report. */
export interface Habit {
  /** Views of one viewer on an ordinary working day. */
  views: number;
  /** Median opening time in milliseconds. */
  opening: number;
  /** The display name of its second page. */
  secondPage?: string;
  /** Share of the views with an error. */
  failing?: number;
  /** Roles of the effective identity, if the report needs one. */
  roles?: string[];
  /** Opened mostly on the first days of a month. */
  isMonthly?: boolean;
  /** Not opened in this number of days before the end. */
  endedDaysAgo?: number;
}

/** By name of the emulator's reports. Reports that are not listed are never opened. */
export const demoHabits: Readonly<Record<string, Habit>> = {
  'Revenue overview': { views: 1.1, opening: 1400, secondPage: 'Products' },
  Pipeline: { views: 0.7, opening: 1900 },
  'Product mix': { views: 0.25, opening: 2600, secondPage: 'Detail' },
  'My customers': { views: 0.5, opening: 2100, secondPage: 'Orders', roles: [] },
  'My region': { views: 0.3, opening: 2300, secondPage: 'Orders', roles: ['Manager'] },
  'Order confirmation': { views: 0.1, opening: 3800 },
  'Profit and loss': { views: 0.9, opening: 1600, secondPage: 'By cost centre' },
  'Cash flow': { views: 0.6, opening: 4200, failing: 0.05 },
  'Budget against actual': { views: 0.3, opening: 2400 },
  'Month-end statement': { views: 0.8, opening: 5200, isMonthly: true },
  'Invoice register': { views: 0.25, opening: 3400, endedDaysAgo: 40 },
  'Delivery performance': { views: 1, opening: 1500, secondPage: 'Carriers' },
  'Stock levels': { views: 0.7, opening: 1300 },
  'Plant utilisation': { views: 0.2, opening: 2800, endedDaysAgo: 55 },
  Headcount: { views: 0.4, opening: 1200 },
  Hiring: { views: 0.3, opening: 1700, secondPage: 'Open positions' },
};
