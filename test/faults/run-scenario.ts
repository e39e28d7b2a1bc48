import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dump, findLeaks, readLogs, readResources, readTables } from './check/collect.js';
import type { Evidence, Expectation, Resources } from './check/evidence.js';
import { breachesOf } from './check/invariants.js';
import { Caller } from './load/caller.js';
import { generate, usualMix } from './load/generator.js';
import { responseCounts, type Entry, percentile, toJsonLines } from './load/history.js';
import { Operations } from './load/operations.js';
import { Sessions } from './load/sessions.js';
import { createTestData } from './load/test-data.js';
import { Cluster } from './parts/cluster.js';
import type { Context, Outcome, Scenario } from './scenario.js';

export interface RunOptions {
  seed: number;
  /** Folder of the built service. */
  dist: string;
  /** Factor on request rates. */
  load: number;
  /** Folder for the histories. */
  results: string;
  people: number;
  /** Waits until pools have closed idle connections; otherwise their maximum is permitted. */
  waitsForIdle: boolean;
}

/** Seconds after the load until resources must be released. */
const SETTLE_SECONDS = { patient: 60, hasty: 8 };
/** Three replicas, each with ten connections for requests, three for jobs and one for notifications. */
const POOL_CONNECTIONS = 3 * 14;

/** Without requests that the client aborted. */
const isFailure = ({ status, op, code }: Entry): boolean =>
  op !== 'hostile' && code !== 'left' && (status === 0 || status >= 500);

async function prepare(cluster: Cluster, { seed, people }: RunOptions): Promise<Context> {
  const testData = await createTestData(cluster, people);
  const caller = new Caller(cluster.url, testData.workspaceByResource);
  const sessions = new Sessions(caller);
  const operations = new Operations({ caller, sessions, testData, mail: cluster.mail });
  for (const person of [...testData.members, ...testData.admins]) await sessions.signIn(person);
  const expectations: Expectation[] = [];
  const expect: Context['expect'] = (name, holds, found) => void expectations.push({ name, holds, found });
  const context = { cluster, testData, caller, sessions, operations, seed, expect, expectations };
  return { ...context, faultAt: 0, faultEndedAt: 0, notes: [] };
}

async function injectFault(scenario: Scenario, context: Context): Promise<void> {
  await sleep((scenario.at ?? scenario.seconds / 4) * 1000);
  context.faultAt = Date.now();
  await scenario.fault(context);
  if (context.faultEndedAt === 0) context.faultEndedAt = Date.now();
}

/** Waits until resources are released. */
async function waitForRelease(cluster: Cluster, before: Resources, seconds: number): Promise<Resources> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const now = await readResources(cluster).catch(() => null);
    if (now !== null && (isReleased(now, before) || Date.now() > end)) return now;
    if (now === null && Date.now() > end + 30_000) throw new Error('The resources could not be read');
    await sleep(500);
  }
}

const isReleased = (now: Resources, before: Resources): boolean =>
  now.fds <= before.fds * 1.1 + 10 && now.connections <= before.connections * 1.1 + 6;

/** Waits until no mail job is active or due. */
async function waitForMailJobs(cluster: Cluster): Promise<void> {
  for (let look = 0; look < 40; look += 1) {
    const busy = await cluster.databases
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

function evaluate(scenario: Scenario, context: Context): number | null {
  const { history } = context.caller;
  if (scenario.success !== undefined) {
    const { share, of = () => true } = scenario.success;
    const asked = history.filter((entry) => entry.op !== 'hostile' && of(entry));
    const good = asked.filter((entry) => !isFailure(entry)).length;
    const found = asked.length === 0 ? 0 : good / asked.length;
    context.expect(
      `at least ${Number((share * 100).toFixed(1))} % of requests succeed`,
      found >= share,
      `${(found * 100).toFixed(2)} % of ${asked.length}`,
    );
  }
  if (context.faultEndedAt === 0) return null;
  const last = history.findLast((entry) => isFailure(entry) && entry.t_done > context.faultEndedAt);
  const recovery = last === undefined ? 0 : (last.t_done - context.faultEndedAt) / 1000;
  const bound = scenario.recovery ?? 10;
  context.expect(`recovery within ${bound} s`, recovery <= bound, `${recovery.toFixed(1)} s`);
  return recovery;
}

/** Starts the cluster, injects the fault under load, and checks the invariants. */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<Outcome> {
  const began = Date.now();
  const cluster = await Cluster.start({
    replicas: 3,
    env: {},
    node: ['--max-old-space-size=256'],
    dist: options.dist,
    ...scenario.cluster,
  });
  try {
    const context = await prepare(cluster, options);
    const before = await readResources(cluster);
    const rate = Math.max(1, Math.round(scenario.rate * options.load));
    const loadBegan = Date.now();
    await Promise.all([
      generate(context.operations, {
        rate,
        seconds: scenario.seconds,
        seed: options.seed,
        mix: scenario.mix ?? usualMix,
      }),
      injectFault(scenario, context),
    ]);
    await scenario.after?.(context);
    const ended = Date.now();
    const recovery = evaluate(scenario, context);
    await waitForMailJobs(cluster);
    const evidence = await gather(context, {
      before,
      began: loadBegan,
      ended,
      patient: options.waitsForIdle,
      clockSkewMs: scenario.clockSkewMs ?? 0,
      upstreamClockOffsetMs: scenario.upstreamClockOffsetMs ?? 0,
    });
    const breaches = breachesOf(evidence);
    const { history } = evidence;
    if (breaches.length > 0) saveLogs(cluster, join(options.results, `${scenario.id}-${options.seed}`));
    mkdirSync(options.results, { recursive: true });
    writeFileSync(join(options.results, `${scenario.id}-${options.seed}.jsonl`), toJsonLines(history));
    const times = history.filter(({ status }) => status > 0).map(({ t_invoke, t_done }) => t_done - t_invoke);
    return {
      id: scenario.id,
      title: scenario.title,
      seed: options.seed,
      load: `${rate}/s for ${scenario.seconds} s`,
      requests: history.length,
      responses: responseCounts(history),
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
      recovery,
      breaches,
      expectations: evidence.expectations,
      notes: context.notes,
      seconds: (Date.now() - began) / 1000,
    };
  } finally {
    await cluster.stop();
    if (process.env['FAULTS_KEEP'] === undefined) cluster.remove();
    else console.log(`  kept ${cluster.folder}`);
  }
}

/** Keeps the logs of a failed run. */
function saveLogs(cluster: Cluster, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(readLogs(cluster))) writeFileSync(join(folder, name), text);
}

interface RunFacts {
  before: Resources;
  began: number;
  ended: number;
  patient: boolean;
  clockSkewMs: number;
  upstreamClockOffsetMs: number;
}

async function gather(
  context: Context,
  { before: found, began, ended, patient, clockSkewMs, upstreamClockOffsetMs }: RunFacts,
): Promise<Evidence> {
  const { cluster, testData, caller, sessions } = context;
  const pools = patient ? 0 : POOL_CONNECTIONS;
  const before = { ...found, connections: Math.max(found.connections, pools), fds: found.fds + pools };
  const after = await waitForRelease(cluster, found, patient ? SETTLE_SECONDS.patient : SETTLE_SECONDS.hasty);
  const tables = await cluster.databases.admin(readTables);
  const calls = await cluster.emulator.calls();
  const database = await dump(cluster);
  await caller.close();
  const exits = await cluster.stop();
  const artefacts = { ...readLogs(cluster), database, calls: JSON.stringify(calls) };
  return {
    history: caller.history.toSorted((a, b) => a.t_invoke - b.t_invoke),
    people: [...testData.members, ...testData.admins].map(({ id, email, isAdmin, workspaces }) => ({
      id,
      email,
      isAdmin,
      workspaces,
    })),
    tables,
    mails: cluster.mail.mails,
    calls,
    workspaceByPbiReport: testData.workspaceByPbiReport,
    workspaceByResource: testData.workspaceByResource,
    artefacts,
    leaks: findLeaks({ cluster, testData, tokens: sessions.tokens, artefacts }),
    exits,
    before,
    after,
    openRequests: caller.openRequests,
    clockSkewMs,
    upstreamClockOffsetMs,
    expectations: (context as Context & { expectations: Expectation[] }).expectations,
    began,
    ended,
  };
}
