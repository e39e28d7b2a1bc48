// Goodput at five times the maximum load, and the recovery time afterwards. LOAD-10
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestBed } from './test-bed.js';
import { fillCatalogue, grantWorkspaces } from './catalogue-rows.js';
import { type Figures, Load } from './load.js';
import { requestAs, createUsers } from './bench-users.js';
import { seconds } from './rounds.js';
import { row, printRows } from './rows.js';
import { startReference } from './yardstick.js';

/** Concurrencies to find the knee of the load curve. */
const concurrencies = [8, 32, 128];
const OVERLOAD = 5;
const RECOVERED = 0.99;
const LONGEST_RECOVERY = 60;

const testBed = await startTestBed();
try {
  await fillCatalogue(testBed.database, { workspaces: 1000, reportsEach: 1 });
  const users = await createUsers(testBed, 32);
  for (const { id } of users) await grantWorkspaces(testBed.database, id, 50);
  const requests = users.map((user) => requestAs(user, '/api/workspaces?limit=25'));

  const knee = async (url: string): Promise<number> => {
    const load = new Load(new URL(url), requests);
    await load.closedLoop(32, Math.min(seconds, 3));
    const found: Figures[] = [];
    for (const concurrency of concurrencies) found.push(await load.closedLoop(concurrency, seconds));
    load.close();
    return Math.max(...found.map(({ goodput }) => goodput));
  };
  const bodyFile = join(testBed.folder, 'body.json');
  writeFileSync(bodyFile, await (await fetch(`${testBed.url}${requests[0]?.path}`, requests[0])).text());
  const { url: constant } = await startReference(testBed, { YARDSTICK: 'constant', BODY_FILE: bodyFile });
  const generator = await knee(constant);
  const most = await knee(testBed.url);

  const load = new Load(new URL(testBed.url), requests);
  const [before, began] = [process.cpuUsage(), performance.now()];
  const overload = await load.openLoop(OVERLOAD * most, 4 * seconds);
  const { user, system } = process.cpuUsage(before);
  const busy = (user + system) / 1000 / (performance.now() - began);
  let recovery = 0;
  while (recovery < LONGEST_RECOVERY) {
    if ((await load.openLoop(most / 2, 1)).useful_share >= RECOVERED) break;
    recovery += 1;
  }
  load.close();
  const { goodput, asked_per_second: asking, p99_ms, refused, late, failed } = overload;
  printRows([
    row({
      work: `${OVERLOAD} × the knee`,
      figures: {
        'knee, a second': most,
        'asked, a second': asking,
        'generator could ask, a second': generator,
        'share of its core that it took': busy,
        'useful, a second': goodput,
        'useful, p99 ms': p99_ms,
        refused,
        late,
        failed,
        'given up by the caller': overload.given_up_by_the_caller,
      },
      ratio: goodput / most,
      goal: { atLeast: 0.8, unit: '× knee' },
    }),
    row({
      work: `after ${OVERLOAD} × the knee`,
      figures: { 'seconds until half the knee is answered again': recovery },
      value: recovery,
      goal: { atMost: 10, unit: 's' },
    }),
  ]);
} finally {
  await testBed.close();
}
