// A sync of a whole catalogue beside a bare loop that fetches the same, throttled and not.
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../local/free-port.js';
import { bareLoop } from './bare-loop.js';
import { makeBed } from './bed.js';
import { askJson, milliseconds, peakMemory, powerBiVariables } from './parts.js';
import { setPowerBi } from './power-bi-rows.js';
import { setting } from './rounds.js';
import { row, tell } from './rows.js';
import { startThrottlingProxy } from './throttling-proxy.js';

const workspaces = setting('BENCH_WORKSPACES', 1000);
const reportsEach = 100;
const latencyMs = 20;
const throttledEvery = 50;
/** Of the sync: eight workspaces at a time, two calls each. */
const concurrency = 16;

interface Run {
  id: string;
  status: string;
  reports_seen: number;
  changes: number;
  calls: number;
  started_at: string;
  finished_at: string | null;
}

async function sync(url: string, token: string): Promise<Run & { seconds: number }> {
  const { id } = await askJson<Run>(`${url}/api/syncs`, token, 'POST');
  for (;;) {
    const run = await askJson<Run>(`${url}/api/syncs/${id}`, token);
    if (run.finished_at !== null) {
      if (run.status !== 'succeeded') throw new Error(`The sync ended as ${run.status}`);
      const seconds = (Date.parse(run.finished_at) - Date.parse(run.started_at)) / 1000;
      return { ...run, seconds };
    }
    await sleep(200);
  }
}

const emulatorPort = await freePort();
const proxy = await startThrottlingProxy(`http://127.0.0.1:${emulatorPort}`);
const bed = await makeBed({ cores: 'shared', emulatorPort, variables: powerBiVariables(proxy.url) });
try {
  const content = { workspaces, reports_per_workspace: reportsEach };
  await askJson(`${bed.emulatorUrl}/__emulator/content`, undefined, 'POST', content);
  await setPowerBi(bed, { latency_ms: latencyMs });
  // Content is made when it is first looked at: nobody is to pay for that here.
  await bareLoop(bed.emulatorUrl, concurrency);
  const idle = peakMemory(bed.service);
  const bareLoopSeconds = async (): Promise<number> =>
    (await milliseconds(async () => void (await bareLoop(proxy.url, concurrency)))) / 1000;
  proxy.reset(throttledEvery);
  const bare = await bareLoopSeconds();
  proxy.reset(throttledEvery);
  const first = await sync(bed.url, bed.token);
  const throttled = proxy.throttled();
  proxy.reset(0);
  const bareAlone = await bareLoopSeconds();
  const second = await sync(bed.url, bed.token);
  tell([
    row({
      work: `first sync of ${first.reports_seen} reports, one call in ${throttledEvery} throttled`,
      figures: {
        'sync, s': first.seconds,
        'bare loop, s': bare,
        calls: first.calls,
        throttled,
        changes: first.changes,
        'memory before, MB': idle,
        'memory at most, MB': peakMemory(bed.service),
      },
      ratio: first.seconds / bare,
    }),
    row({
      work: 'sync that finds nothing new',
      figures: { 'sync, s': second.seconds, 'bare loop, s': bareAlone, changes: second.changes },
      ratio: second.seconds / bareAlone,
    }),
  ]);
} finally {
  proxy.close();
  await bed.close();
}
