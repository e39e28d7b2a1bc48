// What the service holds in memory after ten minutes at half of what it can do: lists, reads and embed tokens.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeBed } from './bed.js';
import { fillCatalogue, grantSome } from './catalogue-rows.js';
import { Load } from './load.js';
import { askJson } from './parts.js';
import { asked, makePeople } from './people.js';
import { giveToPowerBi } from './power-bi-rows.js';
import { seconds, setting } from './rounds.js';
import { row, spreadOf, tell } from './rows.js';

const MINUTES = setting('BENCH_MINUTES', 10);
const PEOPLE = 200;
const REPORTS = 20;
/** What of it is more than what comes and goes. */
const MOST_MB_A_MINUTE = 0.5;

function residentMb(pid: number | undefined): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** Least squares over samples of one second each, for a minute. */
function slope(samples: readonly number[]): number {
  const middle = (samples.length - 1) / 2;
  const mean = samples.reduce((sum, each) => sum + each, 0) / samples.length;
  const [up, across] = samples.reduce(
    ([up, across], each, index) => [up + (index - middle) * (each - mean), across + (index - middle) ** 2],
    [0, 0] as [number, number],
  );
  return (up / across) * 60;
}

const bed = await makeBed();
try {
  await fillCatalogue(bed.database, { workspaces: 1000, reportsEach: 100 });
  const people = await makePeople(bed, PEOPLE);
  for (const { id } of people) await grantSome(bed.database, id, 50);
  const { reports } = await askJson<{ reports: { id: string; workspace_id: string }[] }>(
    `${bed.url}/api/reports?limit=${REPORTS}`,
    people[0]?.token,
  );
  await giveToPowerBi(bed, [...new Set(reports.map(({ workspace_id }) => workspace_id))]);
  const load = new Load(
    new URL(bed.url),
    people.flatMap((person, index) => {
      const report = `/api/reports/${reports[index % REPORTS]?.id}`;
      return [
        asked(person, '/api/workspaces?limit=25'),
        asked(person, '/api/reports?limit=100'),
        asked(person, '/api/workspaces?limit=25&q=0'),
        asked(person, report),
        asked(person, report),
        asked(person, `${report}/embed-token`, 'POST'),
      ];
    }),
  );
  const before = residentMb(bed.service.pid);
  const { goodput: most } = await load.closedLoop(32, 2 * seconds);
  const samples: number[] = [];
  const sampled = (async () => {
    while (samples.length < MINUTES * 60) {
      samples.push(residentMb(bed.service.pid));
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
    'before the load, MB': before,
    'rise over the second half, MB a minute': rise,
    'asked, a second': half.asked_per_second,
    'share answered within 1 s': half.useful_share,
  };
  const work = `memory after ${MINUTES} minutes at half load`;
  tell([
    row({ work, figures, value: last.median, goal: { atMost: 180, unit: 'MB' } }),
    row({
      work: `${work}: rise`,
      figures: { 'MB a minute': rise },
      value: rise,
      goal: { atMost: MOST_MB_A_MINUTE, unit: 'MB a minute' },
    }),
  ]);
} finally {
  await bed.close();
}
