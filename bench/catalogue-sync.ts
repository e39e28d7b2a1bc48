// A sync of a complete catalogue compared with a bare loop that fetches the same, with and without throttling.
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../local/free-port.js';
import { bareLoop } from './bare-loop.js';
import { startTestBed } from './test-bed.js';
import { fetchJson, milliseconds, peakMemory, powerBiVariables } from './parts.js';
import { setPowerBi } from './power-bi-rows.js';
import { setting } from './rounds.js';
import { row, printRows } from './rows.js';
import { startThrottlingProxy } from './throttling-proxy.js';

const workspaces = setting('BENCH_WORKSPACES', 1000);
const reportsEach = 100;
const latencyMs = 20;
const throttledEvery = 50;
/** As in the sync: eight workspaces with two calls each. */
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
  const { id } = await fetchJson<Run>(`${url}/api/syncs`, token, 'POST');
  for (;;) {
    const run = await fetchJson<Run>(`${url}/api/syncs/${id}`, token);
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
const testBed = await startTestBed({ cores: 'shared', emulatorPort, variables: powerBiVariables(proxy.url) });
try {
  const content = { workspaces, reports_per_workspace: reportsEach };
  await fetchJson(`${testBed.emulatorUrl}/__emulator/content`, undefined, 'POST', content);
  await setPowerBi(testBed, { latency_ms: latencyMs });
  // The emulator generates content on first access, which must not be measured.
  await bareLoop(testBed.emulatorUrl, concurrency);
  const idle = peakMemory(testBed.service);
  const bareLoopSeconds = async (): Promise<number> =>
    (await milliseconds(async () => void (await bareLoop(proxy.url, concurrency)))) / 1000;
  proxy.reset(throttledEvery);
  const bare = await bareLoopSeconds();
  proxy.reset(throttledEvery);
  const first = await sync(testBed.url, testBed.token);
  const throttled = proxy.throttled();
  proxy.reset(0);
  const bareAlone = await bareLoopSeconds();
  const second = await sync(testBed.url, testBed.token);
  printRows([
    row({
      work: `first sync of ${first.reports_seen} reports, one call in ${throttledEvery} throttled`,
      figures: {
        'sync, s': first.seconds,
        'bare loop, s': bare,
        calls: first.calls,
        throttled,
        changes: first.changes,
        'memory before, MB': idle,
        'memory at most, MB': peakMemory(testBed.service),
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
  await testBed.close();
}
