import { describe, expect, test } from '@jest/globals';
import { demoHabits } from './demo-habits.js';
import { demoViewers, workspaceNamesOf } from './demo-people.js';
import { DEMO_DAYS, DEMO_SEED, demoUsage, type DemoView } from './demo-usage.js';
import { Random } from './random.js';

const until = new Date('2027-03-17T15:30:00Z');
const DAY_MS = 86_400_000;

const workspaces: Record<string, string[]> = {
  Sales: ['Revenue overview', 'Pipeline', 'Product mix', 'My customers', 'My region', 'Order confirmation'],
  Finance: [
    'Profit and loss',
    'Cash flow',
    'Budget against actual',
    'Invoice register',
    'Month-end statement',
  ],
  Operations: ['Delivery performance', 'Stock levels', 'Plant utilisation', 'Packing list'],
  People: ['Headcount', 'Hiring', 'Absence'],
};
/** Ids differ in each data folder. */
const given = (run: string) => ({
  until,
  reports: Object.entries(workspaces).flatMap(([workspace, names]) =>
    names.map((name) => ({ id: `${run} ${name}`, name, workspace_id: `${run} ${workspace}` })),
  ),
  viewers: demoViewers.map((person) => ({
    id: `${run} ${person.sub}`,
    email: person.email as string,
    isAdmin: person.sub === 'carol',
    workspaces: workspaceNamesOf(person).map((name) => `${run} ${name}`),
  })),
});

const usage = demoUsage({ seed: DEMO_SEED, ...given('a') });
const { views, tokens } = usage;
const nameOf = (id: string): string => id.slice(2);
const dayOf = ({ started_at }: Pick<DemoView, 'started_at'>): number =>
  DEMO_DAYS - 1 - (Math.floor(until.getTime() / DAY_MS) - Math.floor(started_at.getTime() / DAY_MS));
const within = (from: number, to: number): DemoView[] =>
  views.filter((view) => dayOf(view) >= from && dayOf(view) < to);

describe('the demo usage', () => {
  test('is the same for the same seed, also with the ids of another data folder', () => {
    const figures = ({ started_at, report_id, userId, workspace_id: _workspace, ...view }: DemoView) => ({
      ...view,
      at: started_at.toISOString(),
      report: nameOf(report_id),
      viewer: nameOf(userId),
    });
    const again = demoUsage({ seed: DEMO_SEED, ...given('b') });
    expect(again.views.map(figures)).toEqual(views.map(figures));
    expect(again.tokens).toHaveLength(tokens.length);
    expect(demoUsage({ seed: 2, ...given('a') }).views.map(figures)).not.toEqual(views.map(figures));
  });

  test('covers 90 days, with working weeks and growth', () => {
    expect(Math.min(...views.map(dayOf))).toBeLessThan(4);
    expect(Math.max(...views.map(dayOf))).toBe(DEMO_DAYS - 1);
    expect(new Set(views.map(({ id }) => id)).size).toBe(views.length);
    const isWeekend = ({ started_at }: DemoView) => [0, 6].includes(started_at.getUTCDay());
    expect(views.filter(isWeekend).length / views.length).toBeLessThan(0.05);
    expect(within(60, 90).length).toBeGreaterThan(1.3 * within(0, 30).length);
  });

  test('has several viewers, reports without views, and a few failures', () => {
    expect(new Set(views.map(({ userId }) => userId)).size).toBe(demoViewers.length);
    const opened = new Set(views.map(({ report_id }) => nameOf(report_id)));
    expect([...opened].toSorted()).toEqual(Object.keys(demoHabits).toSorted());
    const last = (name: string) =>
      Math.max(...views.filter((view) => nameOf(view.report_id) === name).map(dayOf));
    expect(last('Plant utilisation')).toBeLessThan(60);
    const failed = views.filter(({ failures }) => failures > 0);
    expect(failed.length).toBeGreaterThan(5);
    expect(failed.length / views.length).toBeLessThan(0.05);
    expect(failed.every(({ errors }) => errors?.length === 1)).toBe(true);
  });

  test('issues at least one token for what is viewed, and none that is still valid', () => {
    const issued = tokens.reduce((sum, { times_issued }) => sum + times_issued, 0);
    expect(issued).toBeGreaterThan(views.length);
    expect(issued).toBeLessThan(1.2 * views.length);
    expect(tokens.filter(({ expires_at }) => expires_at >= until)).toEqual([]);
    expect(tokens.filter((token) => token.last_issued_at > token.expires_at)).toEqual([]);
    const held = (view: DemoView) =>
      tokens.some(
        (token) =>
          token.user_id === view.userId &&
          token.report_id === view.report_id &&
          token.issued_at <= view.started_at &&
          view.started_at < token.expires_at,
      );
    expect(views.filter((view) => !held(view))).toEqual([]);
  });

  test('gives the reports with an effective identity the identity of the viewer', () => {
    const ofCustomers = tokens.filter(({ report_id }) => nameOf(report_id) === 'My customers');
    expect(ofCustomers.length).toBeGreaterThan(0);
    expect(ofCustomers.every(({ identity }) => identity?.username.endsWith('@vitrine.example'))).toBe(true);
  });
});

test('random numbers have the requested means', () => {
  const random = new Random(3);
  const mean = (draw: () => number): number =>
    Array.from({ length: 20_000 }, draw).reduce((sum, value) => sum + value, 0) / 20_000;
  expect(mean(() => random.next())).toBeCloseTo(0.5, 1);
  expect(mean(() => random.poisson(0.7))).toBeCloseTo(0.7, 1);
  expect(mean(() => random.normal(5, 2))).toBeCloseTo(5, 1);
});
