// What a user's first requests cost, with distinct users: list workspaces, list reports, open a report, get its embed
// token. Compared with a bare server (floor-morning.ts), with a minimal Nest app, and the list of workspaces also with Directus.
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { type TestBed, startTestBed } from './test-bed.js';
import { directusWorkspaces, requireSameWorkspaces, startDirectus } from './directus.js';
import {
  getEmbedToken,
  getReport,
  listReports,
  listWorkspaces,
  type MorningUser,
  type Operation,
  prepareUsers,
} from './morning-users.js';
import { waitUntilReady, fetchJson, stopProgram } from './parts.js';
import { measureInTurn, rounds, setting } from './rounds.js';
import { type Row, row, printRows } from './rows.js';
import { runSequences } from './sequence-load.js';
import { startReference } from './yardstick.js';

const USERS = setting('BENCH_PEOPLE', 24_000);
/** V8 compiles the code of the servers after about 10,000 requests. Also issues upstream all tokens that the measured users share. */
const WARM_UP = setting('BENCH_WARM_UP', 12_000);
/** Users of one round with Directus, which is slow. */
const DIRECTUS_ROUND = 1000;
const connections = 32;
const MAX_P99 = 2;

/** No user is in two of them. */
interface Users {
  warmUp: readonly MorningUser[];
  /** One batch for each round. */
  batches: readonly (readonly MorningUser[])[];
}

interface Target {
  url: string;
  /** Each user's, in order. */
  operations: readonly Operation[];
}

interface Part {
  work: string;
  operations: readonly Operation[];
  /** Of the floor's requests a second. */
  goal: { atLeast: number; aim: number };
  /** At least this part of the minimal Nest app's. */
  nest?: number;
}

const parts: readonly Part[] = [
  {
    work: 'morning, all four in order',
    operations: [listWorkspaces, listReports, getReport, getEmbedToken],
    goal: { atLeast: 0.45, aim: 0.6 },
  },
  {
    work: 'first list of workspaces',
    operations: [listWorkspaces],
    goal: { atLeast: 0.24, aim: 0.45 },
    nest: 0.55,
  },
  { work: 'first page of 25 reports', operations: [listReports], goal: { atLeast: 1, aim: 1.3 }, nest: 0.8 },
  { work: 'first single report', operations: [getReport], goal: { atLeast: 0.2, aim: 0.45 }, nest: 0.65 },
  {
    work: 'embed token, reused upstream, first for this user',
    operations: [getEmbedToken],
    goal: { atLeast: 0.55, aim: 0.65 },
  },
];

function split(users: readonly MorningUser[]): Users {
  const size = Math.floor((users.length - WARM_UP) / rounds);
  const measured = users.slice(WARM_UP);
  return {
    warmUp: users.slice(0, WARM_UP),
    batches: Array.from({ length: rounds }, (_, round) => measured.slice(round * size, (round + 1) * size)),
  };
}

/** Starts a new process, whose caches contain none of the users. */
async function restartService(testBed: TestBed): Promise<void> {
  await stopProgram(testBed.service);
  testBed.service = testBed.start('src/main.js', testBed.environment);
  await waitUntilReady(`${testBed.url}/readyz`);
}

/** Each user sends each operation once to each target. */
async function alternate<Name extends string>({ warmUp, batches }: Users, targets: Record<Name, Target>) {
  const run = ({ url, operations }: Target, users: readonly MorningUser[]) =>
    runSequences({
      url,
      sequences: users.map((user) => operations.map((operation) => operation(user))),
      connections,
    });
  const entries = Object.entries<Target>(targets);
  for (const [, target] of entries) await run(target, warmUp);
  const turns = Object.fromEntries(
    entries.map(([name, target]) => [name, { target, left: batches.values() }]),
  ) as Record<Name, { target: Target; left: ArrayIterator<readonly MorningUser[]> }>;
  return measureInTurn(turns, ({ target, left }) => run(target, left.next().value ?? []));
}

/** Throws unless the reference returns what the service does. */
async function requireSameRows(testBed: TestBed, url: string, user: MorningUser): Promise<void> {
  const idsOf = (body: object): string =>
    JSON.stringify(body)
      .match(/"id":"[^"]+"/g)
      ?.join() ?? '';
  for (const operation of [listWorkspaces, listReports, getReport]) {
    const { path } = operation(user);
    const ours = idsOf(await fetchJson(`${testBed.url}${path}`, user.token));
    const others = idsOf(await fetchJson(`${url}${path}`, user.token));
    if (ours === '' || ours !== others) throw new Error(`${url} returns other rows at ${path}`);
  }
}

/** The response that the references send for an embed token, in a file. */
async function storeEmbedToken(testBed: TestBed, user: MorningUser): Promise<string> {
  const bodyFile = join(testBed.folder, 'embed-token.json');
  const embedToken = await fetchJson(`${testBed.url}${getEmbedToken(user).path}`, user.token, 'POST');
  writeFileSync(bodyFile, JSON.stringify(embedToken));
  return bodyFile;
}

async function measure(testBed: TestBed, bodyFile: string, users: Users, part: Part): Promise<Row[]> {
  const { work, operations, goal } = part;
  await restartService(testBed);
  const floor = await startReference(testBed, { YARDSTICK: 'morningFloor', BODY_FILE: bodyFile });
  const nest = await startReference(testBed, { BODY_FILE: bodyFile }, 'bench/minimal-nest/main.js');
  const user = users.warmUp[0] as MorningUser;
  for (const { url } of [floor, nest]) await requireSameRows(testBed, url, user);
  const figures = await alternate(users, {
    vitrine: { url: testBed.url, operations },
    floor: { url: floor.url, operations },
    nest: { url: nest.url, operations },
  });
  await Promise.all([floor, nest].map(({ program }) => stopProgram(program)));
  const { vitrine } = figures;
  return [
    row({
      work,
      figures: {
        'vitrine, requests a second': vitrine.per_second,
        'floor, requests a second': figures.floor.per_second,
        "generator's share of its core with the floor": figures.floor.generator,
        'load of the machine, 5 minutes': loadavg()[1] ?? Number.NaN,
      },
      ratio: vitrine.per_second.median / figures.floor.per_second.median,
      goal: { ...goal, unit: '× floor' },
    }),
    row({
      work: `${work}: minimal Nest app`,
      figures: {
        'vitrine, requests a second': vitrine.per_second,
        'minimal Nest app, requests a second': figures.nest.per_second,
        'minimal Nest app × floor': figures.nest.per_second.median / figures.floor.per_second.median,
      },
      ratio: vitrine.per_second.median / figures.nest.per_second.median,
      ...(part.nest !== undefined && { goal: { atLeast: part.nest, unit: '× minimal Nest app' } }),
    }),
    row({
      work: `${work}: p99`,
      figures: { 'vitrine, p99 ms': vitrine.p99_ms, 'floor, p99 ms': figures.floor.p99_ms },
      ratio: vitrine.p99_ms.median / figures.floor.p99_ms.median,
      goal: { atMost: MAX_P99, unit: '× floor' },
    }),
  ];
}

async function measureDirectus(testBed: TestBed, { warmUp, batches }: Users): Promise<Row[]> {
  if (process.env.BENCH_DIRECTUS === 'none') return [];
  const some: Users = {
    warmUp: warmUp.slice(0, DIRECTUS_ROUND),
    batches: batches.map((batch) => batch.slice(0, DIRECTUS_ROUND)),
  };
  const users = [...some.warmUp, ...some.batches.flat()];
  const directusUrl = await startDirectus(testBed, users);
  await restartService(testBed);
  await requireSameWorkspaces(testBed, directusUrl, users[0] as MorningUser);
  const { vitrine, directus } = await alternate(some, {
    vitrine: { url: testBed.url, operations: [listWorkspaces] },
    directus: { url: directusUrl, operations: [directusWorkspaces] },
  });
  return [
    row({
      work: 'first list of workspaces, compared with Directus',
      figures: {
        'vitrine, a second': vitrine.per_second,
        'Directus, a second': directus.per_second,
        'vitrine, p99 ms': vitrine.p99_ms,
        'Directus, p99 ms': directus.p99_ms,
      },
      ratio: vitrine.per_second.median / directus.per_second.median,
    }),
  ];
}

const testBed = await startTestBed({ variables: { EMBED_TOKENS_SHARED: 'true' } });
try {
  const users = split(await prepareUsers(testBed, WARM_UP + USERS));
  const bodyFile = await storeEmbedToken(testBed, users.warmUp[0] as MorningUser);
  const rows: Row[] = [];
  for (const part of parts) rows.push(...(await measure(testBed, bodyFile, users, part)));
  printRows([...rows, ...(await measureDirectus(testBed, users))]);
} finally {
  await testBed.close();
}
