// 5,000 users open 200 reports within a minute, while Power BI accepts 120 calls a minute after
// the first 1,000. Then the same without this limit, and again with reusable tokens.
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestBed, startTestBed } from './test-bed.js';
import { fillCatalogue } from './catalogue-rows.js';
import { fetchJson } from './parts.js';
import { createUsers, type BenchUser } from './bench-users.js';
import { copyToPowerBi, setPowerBi } from './power-bi-rows.js';
import { setting } from './rounds.js';
import { percentile, type Row, row, printRows } from './rows.js';
import { type View, Viewers } from './viewer.js';

const USERS = setting('BENCH_PEOPLE', 5000);
const RUSH_SECONDS = setting('BENCH_RUSH_SECONDS', 60);
const TIMEOUT_SECONDS = 60;
const WORKSPACES = 20;
const REPORTS_EACH = 10;
const MEMBER_OF = 5;
/** Reports with row-level security, whose tokens cannot be shared. */
const PERSONAL_PERCENT = 10;
const limit = { throttle_per_minute: 120, throttle_burst: 1000 };
const SLOWEST_MS = 2000;

interface Call {
  at: string;
  status?: number;
}

async function fill(testBed: TestBed): Promise<BenchUser[]> {
  await fillCatalogue(testBed.database, { workspaces: WORKSPACES, reportsEach: REPORTS_EACH });
  const { rows } = await testBed.database.query<{ id: string }>('SELECT id FROM workspaces ORDER BY id');
  await copyToPowerBi(
    testBed,
    rows.map(({ id }) => id),
    PERSONAL_PERCENT,
  );
  const users = await createUsers(testBed, USERS);
  await testBed.database.query(
    `INSERT INTO grants (user_id, workspace_id, source, role, created_at)
     SELECT person.id, workspace.id, 'manual', 'viewer', now()
     FROM unnest($1::uuid[]) WITH ORDINALITY AS person (id, n),
          unnest($2::uuid[]) WITH ORDINALITY AS workspace (id, n)
     WHERE (workspace.n + person.n) % $3 < $4`,
    [users.map(({ id }) => id), rows.map(({ id }) => id), WORKSPACES, MEMBER_OF],
  );
  await testBed.database.query('VACUUM ANALYZE grants');
  return users;
}

/** Each user opens a report, evenly distributed over the time; `shift` selects another report. */
async function rush(viewers: Viewers, users: readonly BenchUser[], shift: number): Promise<View[]> {
  const began = Date.now();
  const views: Promise<View>[] = [];
  for (const [index, { token }] of users.entries()) {
    const wait = began + (index / users.length) * RUSH_SECONDS * 1000 - Date.now();
    if (wait > 0) await sleep(wait);
    views.push(viewers.open(token, index + shift));
  }
  return Promise.all(views);
}

async function callsOf({ emulatorUrl }: TestBed): Promise<Call[]> {
  const path = `${emulatorUrl}/__emulator/calls?path=GenerateToken`;
  return (await fetchJson<{ calls: Call[] }>(path)).calls;
}

/** Waits until the service calls Power BI again, with a report that no other user opens. */
async function pauseIsOver(viewers: Viewers, { token }: BenchUser): Promise<void> {
  for (let tries = 0; !(await viewers.open(token, 2 * MEMBER_OF)).isShown; tries += 1) {
    if (tries === 30) throw new Error('The service does not come back from the pause');
    await sleep(5000);
  }
}

const counted = (texts: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(texts, (text) => text)].map(([text, all]) => [text, all.length]));

async function measure(
  testBed: TestBed,
  work: string,
  rushing: () => Promise<View[]>,
): Promise<{ rows: Row[]; views: View[] }> {
  await fetchJson(`${testBed.emulatorUrl}/__emulator/calls`, undefined, 'DELETE');
  const views = await rushing();
  const calls = await callsOf(testBed);
  const throttled = calls.filter(({ status }) => status === 429);
  const firstThrottled = Date.parse(throttled[0]?.at ?? '') || Infinity;
  const isEarly = ({ at, ms }: View): boolean => at + ms < firstThrottled;
  const undisturbed = views.filter((view) => isEarly(view) && view.isShown).map(({ ms }) => ms);
  const lost = views.filter(({ isShown }) => !isShown);
  const rows = [
    row({
      work: `${work}: views that never came`,
      figures: {
        views: views.length,
        'shown at once': views.filter(({ isShown, problems }) => isShown && problems.length === 0).length,
        'shown when asked again': views.filter(({ isShown, problems }) => isShown && problems.length > 0)
          .length,
        [`not shown in ${TIMEOUT_SECONDS} s`]: lost.length,
        'calls to Power BI': calls.length,
        'of them throttled': throttled.length,
        ...counted(views.flatMap(({ problems }) => problems)),
      },
      value: lost.length,
      goal: { atMost: 0, unit: 'views' },
    }),
    row({
      work: `${work}: before Power BI refused`,
      figures: {
        views: undisturbed.length,
        'p50 ms': percentile(undisturbed, 0.5),
        'p99 ms': percentile(undisturbed, 0.99),
      },
      value: percentile(undisturbed, 0.99),
      goal: { atMost: SLOWEST_MS, unit: 'ms' },
    }),
  ];
  return { rows, views };
}

// Without shared tokens this would be 5,000 calls: docs/decisions/shared-embed-tokens.md.
const testBed = await startTestBed({ variables: { EMBED_TOKENS_SHARED: 'true' } });
const viewers = new Viewers(testBed.url, TIMEOUT_SECONDS * 1000);
try {
  const users = await fill(testBed);
  await setPowerBi(testBed, limit);
  const first = await measure(testBed, 'morning rush, Power BI throttled', () => rush(viewers, users, 0));
  await setPowerBi(testBed, { throttle_per_minute: null });
  await pauseIsOver(viewers, users[0] as BenchUser);
  const free = await measure(testBed, 'morning rush, Power BI free', () => rush(viewers, users, MEMBER_OF));
  await setPowerBi(testBed, limit);
  const again = await measure(testBed, 'morning rush, tokens at hand', () => rush(viewers, users, MEMBER_OF));
  printRows([...first.rows, ...free.rows, ...again.rows]);
} finally {
  await viewers.close();
  await testBed.close();
}
