import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findPostgres } from './parts/postgres.js';
import { Stand } from './parts/stand.js';
import { writeReport } from './report.js';
import { type RunOptions, runScenario } from './run-scenario.js';
import { isOwn, type Outcome, type OwnScenario, type Scenario } from './scenario.js';
import { scenarios, shortForm } from './scenarios/all.js';
import { selfTest } from './self-test.js';

const help = `Breaks things under load and looks at what is left.

  --only F7,F8   these faults; without it the short form: ${shortForm.join(', ')}
  --all          every fault, the long form
  --seed <n>     the same requests again               a random one, printed
  --load <f>     factor on all rates                   1
  --mutants a,b  or all: runs the suite against mistakes, which it has to catch
  --report <f>   writes <f>.md and <f>.json
  --list         what there is`;

const root = join(import.meta.dirname, '../../..');

function chosen(only: string | undefined, all: boolean): (Scenario | OwnScenario)[] {
  if (all) return scenarios;
  const wanted = only?.split(',') ?? shortForm;
  const unknown = wanted.filter((id) => !scenarios.some((each) => each.id === id));
  if (unknown.length > 0) throw new Error(`No such fault: ${unknown.join(', ')}`);
  return scenarios.filter(({ id }) => wanted.includes(id));
}

function tell({ id, breaches, recovery, answers, requests, p99, seconds, notes }: Outcome): void {
  const verdict = breaches.length === 0 ? 'passed' : 'FAILED';
  const told = Object.entries(answers).map(([name, count]) => `${name} ${count}`);
  const healed = recovery === null ? '' : `, well again after ${recovery.toFixed(1)} s`;
  console.log(
    `  ${verdict} in ${seconds.toFixed(0)} s: ${requests} requests (${told.join(', ')}), p99 ${p99} ms${healed}`,
  );
  for (const note of notes) console.log(`    ${note}`);
  for (const { number, name, what } of breaches) {
    console.log(`    ${id} invariant ${number}, ${name}: ${what.length} breaches`);
    for (const each of what.slice(0, 5)) console.log(`      ${each}`);
  }
}

async function testItself(options: RunOptions, which: string, report?: string): Promise<void> {
  const results = await selfTest(root, options, which === 'all' ? undefined : which.split(','));
  const caught = results.filter((each) => each.caught).length;
  console.log(`${caught} of ${results.length} mutants caught`);
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
      mutants: { type: 'string' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(help);
  if (values.list) return scenarios.forEach(({ id, title }) => console.log(`${id}\t${title}`));
  findPostgres();
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
  console.log(`seed ${seed}`);
  const options: RunOptions = {
    seed,
    dist: join(root, 'dist'),
    load: Number(values.load),
    results: join(root, 'node_modules/.cache/faults'),
    people: 32,
    patient: values.all,
  };
  if (values.mutants !== undefined) return testItself(options, values.mutants, values.report);
  const outcomes: Outcome[] = [];
  for (const scenario of chosen(values.only, values.all)) {
    console.log(`${scenario.id} ${scenario.title}`);
    const obstacle = isOwn(scenario) ? null : (scenario.obstacle?.() ?? null);
    if (obstacle !== null) {
      console.log(`  not run: ${obstacle}`);
      continue;
    }
    const outcome = isOwn(scenario)
      ? await scenario.run({ ...options, long: values.all })
      : await runScenario(scenario, options);
    outcomes.push(outcome);
    tell(outcome);
    if (values.report !== undefined) await writeReport(values.report, { outcomes });
  }
  const failed = outcomes.filter(({ breaches }) => breaches.length > 0);
  console.log(`${outcomes.length - failed.length} passed, ${failed.length} failed`);
  if (failed.length > 0) process.exitCode = 1;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    const stands = [...Stand.running];
    void Promise.allSettled(stands.map((stand) => stand.stop())).then(() => {
      for (const stand of stands) stand.remove();
      process.exit(130);
    });
  });
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
// Lines that a fault left hanging keep nobody here.
process.exit();
