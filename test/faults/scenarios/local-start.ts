import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startOf } from '../../../local/process-identity.js';
import { databasePid, Started, temporaryDataDir } from '../../local/started.js';
import type { Breach } from '../check/invariants.js';
import type { Outcome, CustomScenario } from '../scenario.js';

const ROUNDS = { short: 2, long: 50 };
const MAX_START_SECONDS = 30;

const title = 'local start: two on one folder, a stale lock, kill -9 and SIGTERM during writes';

interface Tally {
  confirmed: string[];
  responses: Record<string, number>;
  times: number[];
  notes: string[];
  breaches: Breach[];
}

const breach = (tally: Tally, number: number, name: string, what: string): void => {
  const known = tally.breaches.find((each) => each.number === number);
  if (known === undefined) tally.breaches.push({ number, name, what: [what] });
  else known.what.push(what);
};

/** Invites users until the service no longer responds. */
async function inviteUntilStopped(started: Started, token: string, tally: Tally): Promise<void> {
  for (let count = 0; started.running; count += 1) {
    const email = `guest-${tally.confirmed.length}-${count}-${Math.random().toString(36).slice(2)}@vitrine.example`;
    const response = await started.post('/api/users/invite', { email }, token).catch(() => null);
    const name = response === null ? 'none' : `${Math.floor(response.status / 100)}xx`;
    tally.responses[name] = (tally.responses[name] ?? 0) + 1;
    if (response === null) return;
    if (response.status === 201) tally.confirmed.push(email);
  }
}

async function invited(started: Started, token: string): Promise<Set<string>> {
  const emails = new Set<string>();
  let path: string | undefined = '/api/invitations?limit=1000';
  while (path !== undefined) {
    const response: Response = await fetch(new URL(path, started.url), {
      headers: { authorization: `Bearer ${token}` },
    });
    const { invitations = [] } = (await response.json()) as { invitations?: { email: string }[] };
    for (const { email } of invitations) emails.add(email);
    path = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return emails;
}

async function start(dataDir: string, main: string, tally: Tally): Promise<Started> {
  const began = Date.now();
  const started = await new Started(dataDir, { RATE_LIMIT_API_PER_MINUTE: '0' }, main).ready();
  const seconds = (Date.now() - began) / 1000;
  tally.times.push(seconds);
  if (seconds > MAX_START_SECONDS) breach(tally, 12, 'availability', `a start took ${seconds} s`);
  return started;
}

async function secondStart(first: Started, main: string, tally: Tally): Promise<void> {
  const second = new Started(first.dataDir, {}, main);
  const ended = await Promise.race([
    second.ended(),
    new Promise<'running'>((resolve) => setTimeout(resolve, 25_000, 'running')),
  ]);
  if (ended === 'running' || ended === 0) {
    breach(tally, 15, 'processes', `a second start on the same folder exited with ${ended}`);
    if (second.running) await second.signal('SIGTERM');
    return;
  }
  if (!second.output.includes(String(first.pid)))
    breach(tally, 15, 'processes', 'the second start does not name the first');
}

/** Of two starts that find a stale lock one succeeds. */
async function twoOnStaleLock(dataDir: string, main: string, tally: Tally): Promise<Started> {
  const both = [new Started(dataDir, {}, main), new Started(dataDir, {}, main)];
  const results = await Promise.allSettled(both.map((each) => each.ready()));
  const ready = both.filter((_, index) => results[index]?.status === 'fulfilled');
  if (ready.length !== 1)
    breach(tally, 15, 'processes', `${ready.length} of two starts on a stale lock succeeded`);
  for (const extra of ready.slice(1)) await extra.signal('SIGTERM');
  return ready[0] ?? start(dataDir, main, tally);
}

async function killUnderWrites(started: Started, tally: Tally): Promise<void> {
  const token = await started.signIn();
  const writing = [1, 2, 3].map(() => inviteUntilStopped(started, token, tally));
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  await started.signal('SIGKILL');
  await Promise.all(writing);
}

async function requireInvitations(started: Started, tally: Tally): Promise<void> {
  const found = await invited(started, await started.signIn());
  for (const email of tally.confirmed) {
    if (!found.has(email))
      breach(tally, 1, 'nothing lost', `the invitation of ${email} was acknowledged and is lost`);
  }
}

async function endCleanly(started: Started, tally: Tally): Promise<void> {
  const database = await databasePid(started.dataDir);
  const code = await started.signal('SIGTERM');
  if (code !== 0) breach(tally, 15, 'processes', `after SIGTERM the start exited with ${code}`);
  if (startOf(database) !== null)
    breach(tally, 15, 'processes', 'the database kept running after the start had stopped');
  const left = existsSync(started.dataDir)
    ? readdirSync(started.dataDir).filter((name) => name.includes('lock'))
    : [];
  if (left.length > 0) breach(tally, 15, 'processes', `left behind: ${left.join(', ')}`);
}

async function run({ seed, dist, long }: { seed: number; dist: string; long: boolean }): Promise<Outcome> {
  const began = Date.now();
  const main = join(dist, 'local/main.js');
  const rounds = long ? ROUNDS.long : ROUNDS.short;
  const { dataDir, remove } = temporaryDataDir();
  const tally: Tally = { confirmed: [], responses: {}, times: [], notes: [], breaches: [] };
  let started = await start(dataDir, main, tally);
  try {
    await secondStart(started, main, tally);
    if (!started.running) started = await start(dataDir, main, tally);
    for (let round = 0; round < rounds; round += 1) {
      await killUnderWrites(started, tally);
      started = round === 0 ? await twoOnStaleLock(dataDir, main, tally) : await start(dataDir, main, tally);
      await requireInvitations(started, tally);
    }
    for (let round = 1; round < rounds; round += 1) {
      await endCleanly(started, tally);
      started = await start(dataDir, main, tally);
    }
    await endCleanly(started, tally);
  } finally {
    if (started.running) await started.signal('SIGTERM');
    await remove();
  }
  const slowest = Math.max(...tally.times);
  return {
    id: 'F29',
    title,
    seed,
    load: `3 writers, each signal ${rounds} times`,
    requests: Object.values(tally.responses).reduce((sum, count) => sum + count, 0),
    responses: tally.responses,
    p50: 0,
    p99: 0,
    recovery: slowest,
    breaches: tally.breaches,
    expectations: [],
    notes: [`${tally.confirmed.length} acknowledged invitations, slowest start ${slowest.toFixed(1)} s`],
    seconds: (Date.now() - began) / 1000,
  };
}

/** Faults of the local start, which has its own database. */
export const ofLocalStart: CustomScenario[] = [
  { id: 'F29', title, usualSeconds: (long) => (long ? ROUNDS.long * 8 : 30), run },
];
