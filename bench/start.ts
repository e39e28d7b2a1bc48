// From the start of the built service to its first "ready", the database being up and migrated.
import { setTimeout as sleep } from 'node:timers/promises';
import { makeBed } from './bed.js';
import { stopProgram } from './parts.js';
import { rounds } from './rounds.js';
import { row, spreadOf, tell } from './rows.js';

const LOOK_MS = 5;
const GIVE_UP_MS = 60_000;

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

const bed = await makeBed();
try {
  await stopProgram(bed.service);
  const seconds: number[] = [];
  // The first one reads the program from the disk.
  for (let start = 0; start <= rounds; start += 1) {
    const began = performance.now();
    const service = bed.start('src/main.js', bed.environment);
    while (!(await isReady(bed.url))) {
      if (performance.now() - began > GIVE_UP_MS) throw new Error('The service does not become ready');
      await sleep(LOOK_MS);
    }
    if (start > 0) seconds.push((performance.now() - began) / 1000);
    await stopProgram(service);
  }
  const ready = spreadOf(seconds);
  tell([
    row({
      work: 'start until ready',
      figures: { 'ready, s': ready },
      value: ready.median,
      goal: { atMost: 1, aim: 0.5, unit: 's' },
    }),
  ]);
} finally {
  await bed.close();
}
