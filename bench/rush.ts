// Monday, nine o'clock: 5,000 people open 200 reports within a minute, while Power BI answers 120 calls a minute after
// the first 1,000. Then the same without its limit, and once more by people whose tokens are at hand.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bed, makeBed } from './bed.js';
import { fillCatalogue } from './catalogue-rows.js';
import { askJson } from './parts.js';
import { makePeople, type Person } from './people.js';
import { giveToPowerBi, setPowerBi } from './power-bi-rows.js';
import { setting } from './rounds.js';
import { percentile, type Row, row, tell } from './rows.js';
import { type View, Viewers } from './viewer.js';

const PEOPLE = setting('BENCH_PEOPLE', 5000);
const RUSH_SECONDS = setting('BENCH_RUSH_SECONDS', 60);
const PATIENCE_SECONDS = 60;
const WORKSPACES = 20;
const REPORTS_EACH = 10;
const MEMBER_OF = 5;
/** Reports that show everybody rows of their own, so that nobody's token is another's. */
const PERSONAL_PERCENT = 10;
const limit = { throttle_per_minute: 120, throttle_burst: 1000 };
const SLOWEST_MS = 2000;

interface Call {
  at: string;
  status?: number;
}

async function fill(bed: Bed): Promise<Person[]> {
  await fillCatalogue(bed.database, { workspaces: WORKSPACES, reportsEach: REPORTS_EACH });
  const { rows } = await bed.database.query<{ id: string }>('SELECT id FROM workspaces ORDER BY id');
  await giveToPowerBi(
    bed,
    rows.map(({ id }) => id),
    PERSONAL_PERCENT,
  );
  const people = await makePeople(bed, PEOPLE);
  await bed.database.query(
    `INSERT INTO memberships (user_id, workspace_id, source, role, created_at)
     SELECT person.id, workspace.id, 'manual', 'viewer', now()
     FROM unnest($1::uuid[]) WITH ORDINALITY AS person (id, n),
          unnest($2::uuid[]) WITH ORDINALITY AS workspace (id, n)
     WHERE (workspace.n + person.n) % $3 < $4`,
    [people.map(({ id }) => id), rows.map(({ id }) => id), WORKSPACES, MEMBER_OF],
  );
  await bed.database.query('VACUUM ANALYZE memberships');
  return people;
}

/** Evenly over the time of the rush, whatever comes of the others; each opens a report, and with another `shift` another one. */
async function rush(viewers: Viewers, people: readonly Person[], shift: number): Promise<View[]> {
  const began = Date.now();
  const views: Promise<View>[] = [];
  for (const [index, { token }] of people.entries()) {
    const wait = began + (index / people.length) * RUSH_SECONDS * 1000 - Date.now();
    if (wait > 0) await sleep(wait);
    views.push(viewers.open(token, index + shift));
  }
  return Promise.all(views);
}

async function callsOf({ emulatorUrl }: Bed): Promise<Call[]> {
  const path = `${emulatorUrl}/__emulator/calls?path=GenerateToken`;
  return (await askJson<{ calls: Call[] }>(path)).calls;
}

/** Until the service asks Power BI again: for a report that nobody opens otherwise. */
async function pauseIsOver(viewers: Viewers, { token }: Person): Promise<void> {
  for (let tries = 0; !(await viewers.open(token, 2 * MEMBER_OF)).isShown; tries += 1) {
    if (tries === 30) throw new Error('The service does not come back from the pause');
    await sleep(5000);
  }
}

const counted = (texts: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(texts, (text) => text)].map(([text, all]) => [text, all.length]));

async function measure(
  bed: Bed,
  work: string,
  rushing: () => Promise<View[]>,
): Promise<{ rows: Row[]; views: View[] }> {
  await askJson(`${bed.emulatorUrl}/__emulator/calls`, undefined, 'DELETE');
  const views = await rushing();
  const calls = await callsOf(bed);
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
        [`not shown in ${PATIENCE_SECONDS} s`]: lost.length,
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

// Everybody's own token for everything would be 5,000 calls: docs/decisions/shared-embed-tokens.md.
const bed = await makeBed({ variables: { EMBED_TOKENS_SHARED: 'true' } });
const viewers = new Viewers(bed.url, PATIENCE_SECONDS * 1000);
try {
  const people = await fill(bed);
  await setPowerBi(bed, limit);
  const first = await measure(bed, 'morning rush, Power BI throttled', () => rush(viewers, people, 0));
  await setPowerBi(bed, { throttle_per_minute: null });
  await pauseIsOver(viewers, people[0] as Person);
  const free = await measure(bed, 'morning rush, Power BI free', () => rush(viewers, people, MEMBER_OF));
  await setPowerBi(bed, limit);
  const again = await measure(bed, 'morning rush, tokens at hand', () => rush(viewers, people, MEMBER_OF));
  tell([...first.rows, ...free.rows, ...again.rows]);
} finally {
  await viewers.close();
  await bed.close();
}
