// Five times as much as the service can do: how many answers are still of use, and how soon it is over. LOAD-10
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBed } from './bed.js';
import { fillCatalogue, grantSome } from './catalogue-rows.js';
import { type Figures, Load } from './load.js';
import { asked, makePeople } from './people.js';
import { seconds } from './rounds.js';
import { row, tell } from './rows.js';
import { startYardstick } from './yardstick.js';

/** Callers at once, of which one gives the knee. */
const concurrencies = [8, 32, 128];
const OVERLOAD = 5;
const RECOVERED = 0.99;
const LONGEST_RECOVERY = 60;

const bed = await makeBed();
try {
  await fillCatalogue(bed.database, { workspaces: 1000, reportsEach: 1 });
  const people = await makePeople(bed, 32);
  for (const { id } of people) await grantSome(bed.database, id, 50);
  const asks = people.map((person) => asked(person, '/api/workspaces?limit=25'));

  const knee = async (url: string): Promise<number> => {
    const load = new Load(new URL(url), asks);
    await load.closedLoop(32, Math.min(seconds, 3));
    const found: Figures[] = [];
    for (const concurrency of concurrencies) found.push(await load.closedLoop(concurrency, seconds));
    load.close();
    return Math.max(...found.map(({ goodput }) => goodput));
  };
  const bodyFile = join(bed.folder, 'body.json');
  writeFileSync(bodyFile, await (await fetch(`${bed.url}${asks[0]?.path}`, asks[0])).text());
  const generator = await knee(await startYardstick(bed, 'constant', { BODY_FILE: bodyFile }));
  const most = await knee(bed.url);

  const load = new Load(new URL(bed.url), asks);
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
  tell([
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
  await bed.close();
}
