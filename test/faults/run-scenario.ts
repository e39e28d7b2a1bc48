import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dump, findLeaks, readLogs, readResources, readTables } from './check/collect.js';
import type { Evidence, Expectation, Resources } from './check/evidence.js';
import { breachesOf } from './check/invariants.js';
import { Caller } from './load/caller.js';
import { generate, usualMix } from './load/generator.js';
import { answersOf, type Entry, percentile, toLines } from './load/history.js';
import { Operations } from './load/operations.js';
import { Sessions } from './load/sessions.js';
import { makeWorld } from './load/world.js';
import { Stand } from './parts/stand.js';
import type { Context, Outcome, Scenario } from './scenario.js';

export interface RunOptions {
  seed: number;
  /** Where the built service lies. */
  dist: string;
  /** Factor on rates. */
  load: number;
  /** Where histories go. */
  results: string;
  people: number;
  /** Waits until pools have closed their idle connections; else what pools may hold is allowed. */
  patient: boolean;
}

/** Seconds after the load until jobs, pools and garbage have settled; what takes longer is a breach. */
const SETTLE_SECONDS = { patient: 60, hasty: 8 };
/** Of three replicas: ten of requests, three of jobs and one that listens each. */
const POOLS = 3 * 14;

/** Not of those who left themselves. */
const isBad = ({ status, op, code }: Entry): boolean =>
  op !== 'hostile' && code !== 'left' && (status === 0 || status >= 500);

async function prepare(stand: Stand, { seed, people }: RunOptions): Promise<Context> {
  const world = await makeWorld(stand, people);
  const caller = new Caller(stand.balancer.url, world.places);
  const sessions = new Sessions(caller);
  const operations = new Operations({ caller, sessions, world, mail: stand.mail });
  for (const person of [...world.members, ...world.admins]) await sessions.signIn(person);
  const expectations: Expectation[] = [];
  const expect: Context['expect'] = (name, holds, found) => void expectations.push({ name, holds, found });
  const context = { stand, world, caller, sessions, operations, seed, expect, expectations };
  return { ...context, faultAt: 0, healedAt: 0, notes: [] };
}

async function strike(scenario: Scenario, context: Context): Promise<void> {
  await sleep((scenario.at ?? scenario.seconds / 4) * 1000);
  context.faultAt = Date.now();
  await scenario.fault(context);
  if (context.healedAt === 0) context.healedAt = Date.now();
}

/** Waits until what was held is given back, at most a minute. */
async function settled(stand: Stand, before: Resources, seconds: number): Promise<Resources> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const now = await readResources(stand).catch(() => null);
    if (now !== null && (isBack(now, before) || Date.now() > end)) return now;
    if (now === null && Date.now() > end + 30_000) throw new Error('The resources could not be read');
    await sleep(500);
  }
}

const isBack = (now: Resources, before: Resources): boolean =>
  now.fds <= before.fds * 1.1 + 10 && now.connections <= before.connections * 1.1 + 6;

/** Until every replica has nothing more to do that was not put off. */
async function quiet(stand: Stand): Promise<void> {
  for (let look = 0; look < 40; look += 1) {
    const busy = await stand.databases
      .admin(async (client) => {
        const due = `SELECT count(*)::int AS due FROM pgboss.job WHERE name LIKE '%mail' AND (state = 'active'
          OR (state IN ('created', 'retry') AND start_after <= now()))`;
        return (await client.query<{ due: number }>(due)).rows[0]?.due ?? 0;
      })
      .catch(() => 1);
    if (busy === 0) return;
    await sleep(250);
  }
}

function judge(scenario: Scenario, context: Context): number | null {
  const { history } = context.caller;
  if (scenario.success !== undefined) {
    const { share, of = () => true } = scenario.success;
    const asked = history.filter((entry) => entry.op !== 'hostile' && of(entry));
    const good = asked.filter((entry) => !isBad(entry)).length;
    const found = asked.length === 0 ? 0 : good / asked.length;
    context.expect(
      `at least ${share * 100} % answered`,
      found >= share,
      `${(found * 100).toFixed(2)} % of ${asked.length}`,
    );
  }
  if (context.healedAt === 0) return null;
  const last = history.findLast((entry) => isBad(entry) && entry.t_done > context.healedAt);
  const recovery = last === undefined ? 0 : (last.t_done - context.healedAt) / 1000;
  const bound = scenario.recovery ?? 10;
  context.expect(`well again within ${bound} s`, recovery <= bound, `${recovery.toFixed(1)} s`);
  return recovery;
}

/** Starts everything, breaks something under load, looks at what is left. */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<Outcome> {
  const began = Date.now();
  const stand = await Stand.start({
    replicas: 3,
    env: {},
    node: ['--max-old-space-size=256'],
    dist: options.dist,
    ...scenario.stand,
  });
  try {
    const context = await prepare(stand, options);
    const before = await readResources(stand);
    const rate = Math.max(1, Math.round(scenario.rate * options.load));
    const loadBegan = Date.now();
    await Promise.all([
      generate(context.operations, {
        rate,
        seconds: scenario.seconds,
        seed: options.seed,
        mix: scenario.mix ?? usualMix,
      }),
      strike(scenario, context),
    ]);
    await scenario.after?.(context);
    const ended = Date.now();
    const recovery = judge(scenario, context);
    await quiet(stand);
    const evidence = await gather(context, {
      before,
      began: loadBegan,
      ended,
      patient: options.patient,
      skewMs: scenario.skewMs ?? 0,
      upstreamAheadMs: scenario.upstreamAheadMs ?? 0,
    });
    const breaches = breachesOf(evidence);
    const { history } = evidence;
    if (breaches.length > 0) keepLogs(stand, join(options.results, `${scenario.id}-${options.seed}`));
    mkdirSync(options.results, { recursive: true });
    writeFileSync(join(options.results, `${scenario.id}-${options.seed}.jsonl`), toLines(history));
    const times = history.filter(({ status }) => status > 0).map(({ t_invoke, t_done }) => t_done - t_invoke);
    return {
      id: scenario.id,
      title: scenario.title,
      seed: options.seed,
      load: `${rate}/s for ${scenario.seconds} s`,
      requests: history.length,
      answers: answersOf(history),
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
      recovery,
      breaches,
      expectations: evidence.expectations,
      notes: context.notes,
      seconds: (Date.now() - began) / 1000,
    };
  } finally {
    await stand.stop();
    if (process.env['FAULTS_KEEP'] === undefined) stand.remove();
    else console.log(`  kept ${stand.folder}`);
  }
}

/** What the processes said of a run that was not well. */
function keepLogs(stand: Stand, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(readLogs(stand))) writeFileSync(join(folder, name), text);
}

interface Span {
  before: Resources;
  began: number;
  ended: number;
  patient: boolean;
  skewMs: number;
  upstreamAheadMs: number;
}

async function gather(
  context: Context,
  { before: found, began, ended, patient, skewMs, upstreamAheadMs }: Span,
): Promise<Evidence> {
  const { stand, world, caller, sessions } = context;
  const pools = patient ? 0 : POOLS;
  const before = { ...found, connections: Math.max(found.connections, pools), fds: found.fds + pools };
  const after = await settled(stand, found, patient ? SETTLE_SECONDS.patient : SETTLE_SECONDS.hasty);
  const tables = await stand.databases.admin(readTables);
  const calls = await stand.emulator.calls();
  const database = await dump(stand);
  await caller.close();
  const exits = await stand.stop();
  const artefacts = { ...readLogs(stand), database, calls: JSON.stringify(calls) };
  return {
    history: caller.history.toSorted((a, b) => a.t_invoke - b.t_invoke),
    people: [...world.members, ...world.admins].map(({ id, email, isAdmin, workspaces }) => ({
      id,
      email,
      isAdmin,
      workspaces,
    })),
    tables,
    mails: stand.mail.mails,
    calls,
    upstream: world.upstream,
    places: world.places,
    artefacts,
    leaks: findLeaks({ stand, world, tokens: sessions.tokens, artefacts }),
    exits,
    before,
    after,
    open: caller.open,
    skewMs,
    upstreamAheadMs,
    expectations: (context as Context & { expectations: Expectation[] }).expectations,
    began,
    ended,
  };
}
