import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findPostgres } from './parts/postgres.js';
import { writeReport } from './report.js';
import { stopAll } from './run-apart.js';
import type { RunOptions } from './run-scenario.js';
import { runInProcess } from './scenario-runner.js';
import { isCustom, type Outcome, type CustomScenario, type Scenario } from './scenario.js';
import { scenarios, shortForm } from './scenarios/all.js';
import { selfTest } from './self-test.js';

const help = `Injects faults under load and checks invariants.

  --only F7,F8   only these faults; default, the short form: ${shortForm.join(', ')}
  --all          all faults, the long form
  --seed <n>     repeats the requests of a run; default: random, printed
  --load <f>     factor on all request rates; default: 1
  --mutants a,b  or all: runs the suite against known defects, which it must detect
  --report <f>   writes <f>.md and <f>.json
  --render <f>   writes <f>.md from <f>.json, without a run
  --list         lists the faults`;

const root = join(import.meta.dirname, '../../..');

function chosen(only: string | undefined, all: boolean): (Scenario | CustomScenario)[] {
  if (all) return scenarios;
  const wanted = only?.split(',') ?? shortForm;
  const unknown = wanted.filter((id) => !scenarios.some((each) => each.id === id));
  if (unknown.length > 0) throw new Error(`No such fault: ${unknown.join(', ')}`);
  return scenarios.filter(({ id }) => wanted.includes(id));
}

function printOutcome({ id, breaches, recovery, responses, requests, p99, seconds, notes }: Outcome): void {
  const verdict = breaches.length === 0 ? 'passed' : 'FAILED';
  const counts = Object.entries(responses).map(([name, count]) => `${name} ${count}`);
  const healed = recovery === null ? '' : `, recovery after ${recovery.toFixed(1)} s`;
  console.log(
    `  ${verdict} in ${seconds.toFixed(0)} s: ${requests} requests (${counts.join(', ')}), p99 ${p99} ms${healed}`,
  );
  for (const note of notes) console.log(`    ${note}`);
  for (const { number, name, what } of breaches) {
    console.log(`    ${id} invariant ${number}, ${name}: ${what.length} breaches`);
    for (const each of what.slice(0, 5)) console.log(`      ${each}`);
  }
}

async function runSelfTest(options: RunOptions, which: string, report?: string): Promise<void> {
  const results = await selfTest(root, options, which === 'all' ? undefined : which.split(','));
  const caught = results.filter((each) => each.caught).length;
  console.log(`${caught} of ${results.length} mutants detected`);
  if (report !== undefined) await writeReport(report, { mutants: results });
  if (caught < results.length) process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      all: { type: 'boolean', default: false },
      seed: { type: 'string' },
      load: { type: 'string', default: '1' },
      report: { type: 'string' },
      render: { type: 'string' },
      mutants: { type: 'string' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(help);
  if (values.list) return scenarios.forEach(({ id, title }) => console.log(`${id}\t${title}`));
  if (values.render !== undefined) return writeReport(values.render);
  findPostgres();
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
  console.log(`seed ${seed}`);
  const options: RunOptions = {
    seed,
    dist: join(root, 'dist'),
    load: Number(values.load),
    results: join(root, 'node_modules/.cache/faults'),
    people: 32,
    waitsForIdle: values.all,
  };
  if (values.mutants !== undefined) return runSelfTest(options, values.mutants, values.report);
  const outcomes: Outcome[] = [];
  for (const scenario of chosen(values.only, values.all)) {
    console.log(`${scenario.id} ${scenario.title}`);
    const obstacle = isCustom(scenario) ? null : (scenario.obstacle?.() ?? null);
    if (obstacle !== null) {
      console.log(`  not run: ${obstacle}`);
      continue;
    }
    const outcome = await runInProcess(root, { id: scenario.id, options, long: values.all });
    outcomes.push(outcome);
    printOutcome(outcome);
    if (values.report !== undefined) await writeReport(values.report, { outcomes });
  }
  const failed = outcomes.filter(({ breaches }) => breaches.length > 0);
  console.log(`${outcomes.length - failed.length} passed, ${failed.length} failed`);
  if (failed.length > 0) process.exitCode = 1;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopAll);

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
// Connections that a fault left open would keep the process running.
process.exit();
