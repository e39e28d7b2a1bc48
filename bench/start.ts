// Time and CPU time from the start of the built service to readiness, with a migrated database.
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestBed } from './test-bed.js';
import { cpuSeconds, stopProgram } from './parts.js';
import { rounds } from './rounds.js';
import { row, spreadOf, printRows } from './rows.js';

const POLL_INTERVAL_MS = 5;
const TIMEOUT_MS = 60_000;

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

const testBed = await startTestBed();
try {
  await stopProgram(testBed.service);
  const seconds: number[] = [];
  const cpu: number[] = [];
  // The first start reads the program from the disk.
  for (let start = 0; start <= rounds; start += 1) {
    const began = performance.now();
    const service = testBed.start('src/main.js', testBed.environment);
    while (!(await isReady(testBed.url))) {
      if (performance.now() - began > TIMEOUT_MS) throw new Error('The service does not become ready');
      await sleep(POLL_INTERVAL_MS);
    }
    if (start > 0) {
      seconds.push((performance.now() - began) / 1000);
      cpu.push(cpuSeconds(service));
    }
    await stopProgram(service);
  }
  const ready = spreadOf(seconds);
  const used = spreadOf(cpu);
  printRows([
    row({
      work: 'start until ready',
      figures: { 'ready, s': ready },
      value: ready.median,
      goal: { atMost: 2.5, unit: 's' },
    }),
    row({
      work: 'start until ready, CPU time',
      figures: { 'CPU, s': used },
      value: used.median,
      goal: { atMost: 1.3, unit: 's' },
    }),
  ]);
} finally {
  await testBed.close();
}
