import { setTimeout as sleep } from 'node:timers/promises';
import { readResources } from '../check/collect.js';
import { percentile } from '../load/history.js';
import type { Asking } from '../load/caller.js';
import type { Context, Scenario } from '../scenario.js';

interface Guess {
  email: string;
  from: string;
  password?: string;
  /** Straight at this replica. */
  url?: string | undefined;
}

const guess = ({ email, from, password = 'not the right password', url }: Guess): Asking => ({
  op: 'guess',
  proc: 'attacker',
  key: email,
  value: from,
  method: 'POST',
  path: '/api/auth/token',
  body: { email, password },
  from,
  ...(url !== undefined && { url }),
});

const address = (index: number): string => `10.${3 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;

/** Arrivals at a constant rate, of people who are not there, each from an address of its own. */
async function flood({ caller }: Context, rate: number, seconds: number): Promise<void> {
  const begin = Date.now();
  const sent: Promise<unknown>[] = [];
  for (let index = 0; index < rate * seconds; index += 1) {
    const wait = begin + (index * 1000) / rate - Date.now();
    if (wait > 0) await sleep(wait);
    sent.push(caller.send(guess({ email: `nobody-${index}@faults.example`, from: address(index) })));
  }
  await Promise.all(sent);
}

async function floodAndWatch(context: Context, rate: number, seconds: number): Promise<void> {
  const { stand, caller, expect, notes } = context;
  const before = await readResources(stand);
  let most = before.rss;
  const watch = setInterval(() => {
    void readResources(stand).then(
      ({ rss }) => (most = Math.max(most, rss)),
      () => undefined,
    );
  }, 1_000);
  await flood(context, rate, seconds);
  clearInterval(watch);
  const grown = (most - before.rss) / 2 ** 20 / stand.replicas.length;
  const reads = caller.history
    .filter(({ op, t_invoke }) => ['list', 'read', 'me'].includes(op) && t_invoke >= context.faultAt)
    .map(({ t_invoke, t_done }) => t_done - t_invoke);
  const p99 = percentile(reads, 0.99);
  notes.push(
    `${rate} sign-ins a second for ${seconds} s: reads p99 ${p99} ms, ${grown.toFixed(0)} MB more a replica`,
  );
  expect('reads keep p99 below 1 s', p99 < 1_000, `${p99} ms of ${reads.length}`);
  expect('a replica grows by less than 100 MB', grown < 100, `${grown.toFixed(0)} MB`);
}

/** Past the twentieth guess on one account, from everywhere, at every replica, with Redis forgetting in between. */
async function spray({ caller, stand, world, expect }: Context): Promise<void> {
  const victim = world.members[0]?.email ?? '';
  const urls = stand.replicas.map(({ url }) => url);
  const at = (index: number) => urls[index % urls.length];
  for (let index = 0; index < 21; index += 1) {
    await caller.send(guess({ email: world.members[1]?.email ?? '', from: '10.9.9.9', url: at(index) }));
  }
  for (let index = 0; index < 60; index += 1) {
    if (index === 30) await stand.redisSays(stand.lines.redis.target, 'FLUSHALL');
    await caller.send(guess({ email: victim, from: address(70_000 + index), url: at(index) }));
  }
  const refused = caller.history.filter(({ op, status }) => op === 'guess' && status === 429).length;
  expect('guessing is refused', refused > 0, `${refused} refused`);
}

/** What else the machine did shows in the upper part only. */
const undisturbed = (values: number[]): number => percentile(values, 0.2);

/** Whether an account is there must not show in the time: a fifth less would show. */
async function timing({ caller, world, expect, notes }: Context): Promise<void> {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  for (const [index, { email }] of [...world.members, ...world.members].entries()) {
    for (const [kind, who] of [
      ['known', email],
      ['unknown', `x${email}`],
    ] as const) {
      const begin = performance.now();
      await caller.send(guess({ email: who, from: address(80_000 + index) }));
      times[kind].push(performance.now() - begin);
    }
  }
  const [known, unknown] = [undisturbed(times.known), undisturbed(times.unknown)];
  notes.push(
    `a wrong password: ${known.toFixed(1)} ms; nobody: ${unknown.toFixed(1)} ms (a fifth was quicker)`,
  );
  expect(
    'nobody takes as long as a wrong password',
    unknown > known * 0.8,
    `${unknown.toFixed(1)} to ${known.toFixed(1)} ms`,
  );
}

const reads = { list: 40, read: 40, me: 20 };

/** Floods and guesses at the sign-in. */
export const ofSignIn: Scenario[] = [
  {
    id: 'F31',
    title: 'a flood of sign-ins: 300/s for 30 s',
    rate: 20,
    seconds: 40,
    at: 3,
    mix: reads,
    success: { share: 0.99, of: ({ op }) => ['list', 'read', 'me'].includes(op) },
    fault: (context) => floodAndWatch(context, 300, 30),
  },
  {
    id: 'F31b',
    title: 'guesses at one account from everywhere, Redis forgets in between',
    rate: 5,
    seconds: 12,
    mix: reads,
    at: 1,
    fault: spray,
  },
  {
    id: 'F31c',
    title: 'is there such an account? (times of refusals)',
    rate: 1,
    seconds: 8,
    mix: reads,
    at: 1,
    fault: timing,
  },
];
