import { setTimeout as sleep } from 'node:timers/promises';
import { readResources } from '../check/collect.js';
import { percentile } from '../load/history.js';
import type { RequestSpec } from '../load/caller.js';
import type { Context, Scenario } from '../scenario.js';

interface Guess {
  email: string;
  from: string;
  password?: string;
  /** The replica to call, past the balancer. */
  url?: string | undefined;
}

const guess = ({ email, from, password = 'not the right password', url }: Guess): RequestSpec => ({
  op: 'guess',
  actor: 'attacker',
  key: email,
  value: from,
  method: 'POST',
  path: '/api/auth/token',
  body: { email, password },
  from,
  ...(url !== undefined && { url }),
});

const address = (index: number): string => `10.${3 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;

/** Sign-ins of unknown users at a constant rate, each from its own address. */
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
  const { cluster, caller, expect, notes } = context;
  const before = await readResources(cluster);
  let most = before.rss;
  const watch = setInterval(() => {
    void readResources(cluster).then(
      ({ rss }) => (most = Math.max(most, rss)),
      () => undefined,
    );
  }, 1_000);
  await flood(context, rate, seconds);
  clearInterval(watch);
  const grown = (most - before.rss) / 2 ** 20 / cluster.replicas.length;
  const reads = caller.history
    .filter(({ op, t_invoke }) => ['list', 'read', 'me'].includes(op) && t_invoke >= context.faultAt)
    .map(({ t_invoke, t_done }) => t_done - t_invoke);
  const p99 = percentile(reads, 0.99);
  notes.push(`p99 of reads ${p99} ms, memory growth ${grown.toFixed(0)} MB per replica`);
  expect('the p99 of reads is below 1 s', p99 < 1_000, `${p99} ms of ${reads.length}`);
  expect('a replica grows by less than 100 MB', grown < 100, `${grown.toFixed(0)} MB`);
}

/** More than twenty guesses on one account, from many addresses and on every replica, with Redis flushed in between. */
async function spray({ caller, cluster, testData, expect }: Context): Promise<void> {
  const victim = testData.members[0]?.email ?? '';
  const urls = cluster.replicas.map(({ url }) => url);
  const at = (index: number) => urls[index % urls.length];
  for (let index = 0; index < 21; index += 1) {
    await caller.send(guess({ email: testData.members[1]?.email ?? '', from: '10.9.9.9', url: at(index) }));
  }
  for (let index = 0; index < 60; index += 1) {
    if (index === 30) await cluster.sendToRedis(cluster.proxies.redis.target, 'FLUSHALL');
    await caller.send(guess({ email: victim, from: address(70_000 + index), url: at(index) }));
  }
  const refused = caller.history.filter(({ op, status }) => op === 'guess' && status === 429).length;
  expect('guesses are rejected', refused > 0, `${refused} rejected`);
}

/** Other load on the machine affects only the higher percentiles. */
const lowerQuintile = (values: number[]): number => percentile(values, 0.2);

/** The response time must not reveal whether an account exists: a fifth less would. */
async function timing({ caller, testData, expect, notes }: Context): Promise<void> {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  for (const [index, { email }] of [...testData.members, ...testData.members].entries()) {
    for (const [kind, who] of [
      ['known', email],
      ['unknown', `x${email}`],
    ] as const) {
      const begin = performance.now();
      await caller.send(guess({ email: who, from: address(80_000 + index) }));
      times[kind].push(performance.now() - begin);
    }
  }
  const [known, unknown] = [lowerQuintile(times.known), lowerQuintile(times.unknown)];
  notes.push(
    `wrong password ${known.toFixed(1)} ms, unknown account ${unknown.toFixed(1)} ms (20th percentiles)`,
  );
  expect(
    'an unknown account takes as long as a wrong password',
    unknown > known * 0.8,
    `${unknown.toFixed(1)} ms compared with ${known.toFixed(1)} ms`,
  );
}

const reads = { list: 40, read: 40, me: 20 };

/** Floods and guesses at the sign-in. */
export const ofSignIn: Scenario[] = [
  {
    id: 'F31',
    title: '300 sign-ins a second for 30 s',
    rate: 20,
    seconds: 40,
    at: 3,
    mix: reads,
    success: { share: 0.99, of: ({ op }) => ['list', 'read', 'me'].includes(op) },
    fault: (context) => floodAndWatch(context, 300, 30),
  },
  {
    id: 'F31b',
    title: 'guesses on one account from many addresses, with Redis flushed in between',
    rate: 5,
    seconds: 12,
    mix: reads,
    at: 1,
    fault: spray,
  },
  {
    id: 'F31c',
    title: 'response times of failed sign-ins with and without an account',
    rate: 1,
    seconds: 8,
    mix: reads,
    at: 1,
    fault: timing,
  },
];
