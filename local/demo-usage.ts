import { hash } from 'node:crypto';
import type { View } from '../src/usage/view.js';
import { demoHabits, type Habit } from './demo-habits.js';
import { Random } from './random.js';

export const DEMO_DAYS = 90;
export const DEMO_SEED = 85;

export interface DemoReport {
  id: string;
  name: string;
  workspace_id: string;
}

export interface DemoViewer {
  id: string;
  email: string;
  isAdmin: boolean;
  /** Ids of the workspaces whose reports they open. */
  workspaces: readonly string[];
}

/** A view whose person has no number yet. */
export type DemoView = Omit<View, 'person'> & { userId: string };

/** An issued embed token. */
export interface DemoToken {
  id: string;
  token_id: string;
  user_id: string;
  report_id: string;
  workspace_id: string;
  identity: { username: string; roles: string[] } | null;
  issued_at: Date;
  expires_at: Date;
  times_issued: number;
  last_issued_at: Date;
}

export interface DemoUsage {
  views: DemoView[];
  tokens: DemoToken[];
}

interface Given {
  seed: number;
  /** The last moment of the generated usage. */
  until: Date;
  reports: readonly DemoReport[];
  viewers: readonly DemoViewer[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TOKEN_MS = HOUR_MS;
/** A token is renewed this long before it expires. */
const RENEWAL_MS = 10 * 60_000;
/** Sunday first. */
const weekdays = [0.03, 1.15, 1.05, 1, 0.95, 0.7, 0.05];
const errorCodes = ['QueryUserError', 'TokenExpired', 'LoadReportFailed'] as const;
const MAX_PAGES = 6;

const byKey =
  <T>(key: (each: T) => string) =>
  (a: T, b: T) =>
    key(a) < key(b) ? -1 : 1;

/** The same for the same seed and the same number of rows before. */
const idOf = (text: string): string =>
  hash('sha256', text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

/** Expected share of an ordinary day: the working week, months with a busy start, and growth. */
function activity(day: Date, progress: number, { isMonthly }: Habit): number {
  const month = isMonthly ? (day.getUTCDate() <= 4 ? 3 : 0.1) : 1;
  return (weekdays[day.getUTCDay()] ?? 1) * month * (0.4 + 0.7 * progress);
}

/** The working day has a peak in the morning and one after lunch. */
function timeOn(day: Date, random: Random): Date {
  const hour = random.next() < 0.6 ? random.normal(9.3, 1) : random.normal(14.2, 1.3);
  return new Date(day.getTime() + Math.round(Math.min(20, Math.max(6, hour)) * HOUR_MS));
}

type Opening = Pick<
  View,
  | 'page_views'
  | 'failures'
  | 'visible_ms'
  | 'load_ms'
  | 'load_seq'
  | 'render_ms'
  | 'render_seq'
  | 'seqs'
  | 'pages'
  | 'page_names'
  | 'errors'
>;

/** What a browser reports of one view: opened, loaded, rendered, pages, perhaps an error, closed. */
function opening(random: Random, { opening: median, secondPage, failing = 0.012 }: Habit): Opening {
  const render = Math.round(random.logNormal(median, 0.35));
  const names = {
    ReportSection: 'Overview',
    ...(secondPage !== undefined && { ReportSection1: secondPage }),
  };
  const count = secondPage === undefined ? 1 : Math.min(MAX_PAGES, 1 + random.poisson(0.9));
  const shown = Array.from({ length: count }, () =>
    random.pick(['ReportSection', ...(secondPage === undefined ? [] : ['ReportSection1'])]),
  );
  const error = random.next() < failing ? random.pick(errorCodes) : null;
  const isLoaded = error !== 'LoadReportFailed';
  const events = (isLoaded ? 3 + shown.length : 1) + (error === null ? 0 : 1) + 1;
  return {
    page_views: isLoaded ? shown.length : 0,
    failures: error === null ? 0 : 1,
    visible_ms: isLoaded ? Math.round(Math.min(HOUR_MS, random.logNormal(100_000, 0.9))) : 4000,
    load_ms: isLoaded ? Math.round(render * 0.6) : null,
    load_seq: isLoaded ? 1 : null,
    render_ms: isLoaded ? render : null,
    render_seq: isLoaded ? 2 : null,
    seqs: Array.from({ length: events }, (_, seq) => seq),
    pages: isLoaded ? shown : null,
    page_names: isLoaded ? names : null,
    errors: error === null ? null : [error],
  };
}

interface Pair {
  viewer: DemoViewer;
  report: DemoReport;
  habit: Habit;
  /** How often this viewer opens reports, compared with others. */
  eagerness: number;
  /** First day on which this viewer opens reports. */
  firstDay: number;
}

/** The times at which a viewer opens a report, in order. */
function timesOf({ habit, eagerness, firstDay }: Pair, until: Date, random: Random): Date[] {
  const today = Math.floor(until.getTime() / DAY_MS) * DAY_MS;
  // A token of the last hour would still count as active, but Power BI does not know it.
  const last = until.getTime() - TOKEN_MS - 5 * 60_000;
  const times: Date[] = [];
  for (let day = firstDay; day < DEMO_DAYS - (habit.endedDaysAgo ?? 0); day += 1) {
    const start = new Date(today - (DEMO_DAYS - 1 - day) * DAY_MS);
    const count = random.poisson(habit.views * eagerness * activity(start, day / (DEMO_DAYS - 1), habit));
    times.push(...Array.from({ length: count }, () => timeOn(start, random)));
  }
  return times.filter((time) => time.getTime() <= last).toSorted((a, b) => a.getTime() - b.getTime());
}

/** A token serves the views of an hour; some pages that report nothing use it too. */
function addToken(tokens: DemoToken[], { viewer, report, habit }: Pair, at: Date, seed: string): void {
  const held = tokens.findLast((each) => each.user_id === viewer.id && each.report_id === report.id);
  if (held !== undefined && held.expires_at.getTime() - RENEWAL_MS > at.getTime()) {
    held.times_issued += 1;
    held.last_issued_at = at;
    return;
  }
  const key = `${seed} ${viewer.email} ${report.name} ${at.toISOString()}`;
  tokens.push({
    id: idOf(`grant ${key}`),
    token_id: idOf(`token ${key}`),
    user_id: viewer.id,
    report_id: report.id,
    workspace_id: report.workspace_id,
    identity: habit.roles === undefined ? null : { username: viewer.email, roles: habit.roles },
    issued_at: at,
    expires_at: new Date(at.getTime() + TOKEN_MS),
    times_issued: 1,
    last_issued_at: at,
  });
}

function pairsOf({ reports, viewers }: Given, random: Random): Pair[] {
  return viewers.toSorted(byKey(({ email }) => email)).flatMap((viewer) => {
    const eagerness = random.between(0.35, 1.3);
    const firstDay = random.next() < 0.4 ? Math.floor(random.between(10, 70)) : 0;
    return reports
      .filter(({ name, workspace_id }) => name in demoHabits && viewer.workspaces.includes(workspace_id))
      .toSorted(byKey(({ name }) => name))
      .map((report) => ({ viewer, report, habit: demoHabits[report.name] as Habit, eagerness, firstDay }));
  });
}

/** Ninety days of plausible usage: the same figures for the same seed, end, reports and viewers. */
export function demoUsage(given: Given): DemoUsage {
  const random = new Random(given.seed);
  const usage: DemoUsage = { views: [], tokens: [] };
  for (const pair of pairsOf(given, random)) {
    const { viewer, report, habit } = pair;
    for (const [index, at] of timesOf(pair, given.until, random).entries()) {
      addToken(usage.tokens, pair, at, String(given.seed));
      if (random.next() < 0.06) continue;
      usage.views.push({
        id: idOf(`view ${given.seed} ${viewer.email} ${report.name} ${index}`),
        started_at: at,
        report_id: report.id,
        workspace_id: report.workspace_id,
        userId: viewer.id,
        by_admin: viewer.isAdmin,
        ...opening(random, habit),
      });
    }
  }
  return usage;
}
