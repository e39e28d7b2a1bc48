import type { AccessRight, PastRefresh } from './model.js';

export interface DemoDataset {
  name: string;
  data: string;
  /** `identity`: needs an effective identity; `roles`: needs roles too. */
  rls?: 'identity' | 'roles';
  roles?: string[];
  directQuery?: boolean;
  refreshes?: PastRefresh[];
}

export interface DemoReport {
  name: string;
  description?: string;
  dataset?: string;
  paginated?: boolean;
  pages?: string[];
}

export interface DemoWorkspace {
  name: string;
  description: string;
  /** Role of the demo service principal; absent: none. */
  principal?: AccessRight;
  /** Roles of the demo people besides Dana, who is Admin everywhere. */
  people?: Record<string, AccessRight>;
  shared?: boolean;
  type?: 'PersonalGroup';
  datasets: DemoDataset[];
  reports: DemoReport[];
}

/** Every four hours, the last one 25 minutes ago. */
const refreshed: PastRefresh[] = [0, 1, 2, 3, 4, 5].map((count) => ({
  status: 'Completed',
  minutesAgo: 25 + 240 * count,
}));

/** Failing for 14 hours; the last success was yesterday. */
const failing: PastRefresh[] = [
  { status: 'Failed', minutesAgo: 2 * 60, durationMinutes: 1 },
  { status: 'Failed', minutesAgo: 14 * 60, durationMinutes: 1 },
  { status: 'Completed', minutesAgo: 26 * 60 },
];

export const demoWorkspaces: DemoWorkspace[] = [
  {
    name: 'Sales',
    description: 'Revenue, pipeline and territories',
    principal: 'Admin',
    datasets: [
      { name: 'Sales', data: 'sales', refreshes: refreshed },
      { name: 'Sales by representative', data: 'sales', rls: 'identity' },
      { name: 'Sales by region', data: 'sales', rls: 'roles', roles: ['Europe', 'Americas', 'Manager'] },
    ],
    reports: [
      {
        name: 'Revenue overview',
        description: 'Revenue by month and product',
        dataset: 'Sales',
        pages: ['Products'],
      },
      { name: 'Pipeline', dataset: 'Sales' },
      { name: 'Product mix', dataset: 'Sales', pages: ['Detail'] },
      {
        name: 'My customers',
        description: 'Your own customers and their orders',
        dataset: 'Sales by representative',
        pages: ['Orders'],
      },
      {
        name: 'My region',
        description: "Your region's figures",
        dataset: 'Sales by region',
        pages: ['Orders'],
      },
      { name: 'Order confirmation', dataset: 'Sales', paginated: true },
    ],
  },
  {
    name: 'Finance',
    description: 'Month-end and cash',
    principal: 'Member',
    datasets: [{ name: 'General ledger', data: 'finance', refreshes: failing }],
    reports: [
      { name: 'Profit and loss', dataset: 'General ledger', pages: ['By cost centre'] },
      { name: 'Cash flow', dataset: 'General ledger' },
      { name: 'Budget against actual', dataset: 'General ledger' },
      { name: 'Invoice register', paginated: true },
      { name: 'Month-end statement', dataset: 'General ledger', paginated: true },
    ],
  },
  {
    name: 'Operations',
    description: 'Plants, stock and delivery',
    principal: 'Admin',
    people: { carol: 'Member', ben: 'Viewer' },
    datasets: [{ name: 'Deliveries', data: 'operations', directQuery: true }],
    reports: [
      { name: 'Delivery performance', dataset: 'Deliveries', pages: ['Carriers'] },
      { name: 'Stock levels', dataset: 'Deliveries' },
      { name: 'Plant utilisation', dataset: 'Deliveries' },
      { name: 'Packing list', dataset: 'Deliveries', paginated: true },
    ],
  },
  {
    name: 'People',
    description: 'Headcount and hiring',
    principal: 'Admin',
    datasets: [{ name: 'Headcount', data: 'people', refreshes: refreshed }],
    reports: [
      { name: 'Headcount', dataset: 'Headcount' },
      { name: 'Hiring', dataset: 'Headcount', pages: ['Open positions'] },
      { name: 'Absence', dataset: 'Headcount' },
    ],
  },
  {
    name: 'Trials',
    description: 'Products on trial',
    principal: 'Admin',
    shared: true,
    datasets: [{ name: 'Trial sales', data: 'sales' }],
    reports: [
      { name: 'Trial dashboard', dataset: 'Trial sales' },
      { name: 'Trial forecast', dataset: 'Trial sales' },
    ],
  },
  {
    name: 'Partners',
    description: 'Results of the partner channel',
    principal: 'Viewer',
    datasets: [{ name: 'Partner sales', data: 'sales' }],
    reports: [
      { name: 'Partner scorecard', dataset: 'Partner sales' },
      { name: 'Partner payouts', dataset: 'Partner sales' },
    ],
  },
  { name: 'New region', description: 'Opens next year', principal: 'Admin', datasets: [], reports: [] },
  {
    name: 'Board',
    description: 'Figures for the board',
    datasets: [{ name: 'Board figures', data: 'finance' }],
    reports: [{ name: 'Board pack', dataset: 'Board figures' }],
  },
  {
    name: 'PersonalWorkspace Dana',
    description: 'Drafts',
    type: 'PersonalGroup',
    principal: 'Admin',
    shared: true,
    datasets: [],
    reports: [{ name: 'Scratch', paginated: true }],
  },
];
