// Memory of the service after four minutes at half of its maximum load: lists, reads and embed tokens.
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestBed } from './test-bed.js';
import { fillCatalogue, grantWorkspaces } from './catalogue-rows.js';
import { Load } from './load.js';
import { fetchJson, residentMb } from './parts.js';
import { requestAs, createUsers } from './bench-users.js';
import { copyToPowerBi } from './power-bi-rows.js';
import { seconds, setting } from './rounds.js';
import { row, spreadOf, printRows } from './rows.js';

const MINUTES = setting('BENCH_MINUTES', 4);
const USERS = 200;
const REPORTS = 20;
/** Resident memory of a service that has just started. */
const MAX_IDLE_MB = 160;
/** The memory limit of the Helm chart is 512 MiB. */
const MAX_LOADED_MB = 400;
/** A higher slope is a leak. */
const MAX_MB_PER_MINUTE = 0.5;

/** The slope per minute of samples per second, by least squares. */
function slope(samples: readonly number[]): number {
  const middle = (samples.length - 1) / 2;
  const mean = samples.reduce((sum, each) => sum + each, 0) / samples.length;
  const [up, across] = samples.reduce(
    ([up, across], each, index) => [up + (index - middle) * (each - mean), across + (index - middle) ** 2],
    [0, 0] as [number, number],
  );
  return (up / across) * 60;
}

const testBed = await startTestBed();
try {
  await fillCatalogue(testBed.database, { workspaces: 1000, reportsEach: 100 });
  const users = await createUsers(testBed, USERS);
  for (const { id } of users) await grantWorkspaces(testBed.database, id, 50);
  const { reports } = await fetchJson<{ reports: { id: string; workspace_id: string }[] }>(
    `${testBed.url}/api/reports?limit=${REPORTS}`,
    users[0]?.token,
  );
  await copyToPowerBi(testBed, [...new Set(reports.map(({ workspace_id }) => workspace_id))]);
  const load = new Load(
    new URL(testBed.url),
    users.flatMap((user, index) => {
      const report = `/api/reports/${reports[index % REPORTS]?.id}`;
      return [
        requestAs(user, '/api/workspaces?limit=25'),
        requestAs(user, '/api/reports?limit=100'),
        requestAs(user, '/api/workspaces?limit=25&q=0'),
        requestAs(user, report),
        requestAs(user, report),
        requestAs(user, `${report}/embed-token`, 'POST'),
      ];
    }),
  );
  const before = residentMb(testBed.service);
  const { goodput: most } = await load.closedLoop(32, 2 * seconds);
  const samples: number[] = [];
  const sampled = (async () => {
    while (samples.length < MINUTES * 60) {
      samples.push(residentMb(testBed.service));
      await sleep(1000);
    }
  })();
  const half = await load.openLoop(most / 2, MINUTES * 60);
  await sampled;
  load.close();
  const last = spreadOf(samples.slice(-60));
  const rise = slope(samples.slice(samples.length / 2));
  const figures = {
    'first minute, MB': spreadOf(samples.slice(0, 60)),
    'last minute, MB': last,
    'rise over the second half, MB a minute': rise,
    'asked, a second': half.asked_per_second,
    'share answered within 1 s': half.useful_share,
  };
  const work = `memory after ${MINUTES} minutes at half load`;
  printRows([
    row({
      work: 'memory, idle',
      figures: { MB: before },
      value: before,
      goal: { atMost: MAX_IDLE_MB, unit: 'MB' },
    }),
    row({ work, figures, value: last.median, goal: { atMost: MAX_LOADED_MB, unit: 'MB' } }),
    row({
      work: `${work}: rise`,
      figures: { 'MB a minute': rise },
      value: rise,
      goal: { atMost: MAX_MB_PER_MINUTE, unit: 'MB a minute' },
    }),
  ]);
} finally {
  await testBed.close();
}
