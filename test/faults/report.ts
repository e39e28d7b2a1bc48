import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { format } from 'prettier';
import type { Outcome } from './scenario.js';
import { scenarios } from './scenarios/all.js';
import type { Caught } from './self-test.js';

interface Report {
  machine: string;
  outcomes: (Outcome & { at: string })[];
  mutants: Caught[];
}

const introduction = `# What happens when things break

\`npm run faults\` starts PostgreSQL with a streaming standby that commits wait for, Redis, three replicas of the built service in
production mode, the Power BI emulator, an SMTP server, a balancer that honours \`/readyz\`, and a TCP line to each dependency that
can be slow, silent, cut or gone. People sign in, read, embed, invite and steal tokens at a constant rate, whether they are
answered or not; then something breaks. Afterwards sixteen invariants are held against the recorded history, the database, the
mail, the calls that Power BI got, and the logs (\`test/faults/check/\`).

Without options it runs the short form, \`--all\` runs every fault, \`--only F7,F8\` some, \`--mutants all\` the test of the suite
itself, \`--seed\` the same requests once more. It needs Debian's \`postgresql\` and \`redis-server\`, and says so where they are
missing.

This page is what the suite wrote with \`--report docs/faults\`; the same with every figure is in \`faults.json\` beside it. Load is
arrivals in a second. Answers are by class, \`none\` for those that got none; 4xx are mostly people who ask for what is not
theirs and attacks. Recovery is from the end of the fault to the last failed request.

A run that fails leaves its history and the logs of its processes in \`node_modules/.cache/faults\`.
`;

const ending = `## What is not covered

- **A lost page cache** (power failure): processes die here, the kernel lives. Nothing simulates it;
  PostgreSQL runs with \`fsync\` on.
- F13, a full disk of PostgreSQL: only where the suite may mount a file system of its own.
- F21 stops the process instead of blocking its event loop: there is no hook in the service to block it from outside.
- F26 moves the clock of one replica by 20 s. By an hour it makes tokens that others refuse, as it should.
- F28 brings a column of a later version, not a later version of the service.
- Random pairs of faults for half an hour, an hour of soak, and nights with three seeds.
- Several machines: everything is on one box and on loopback; latencies and times are those of that box.
`;

const counts = (answers: Record<string, number>): string =>
  Object.entries(answers)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

const cell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('<', '\\<').replaceAll('*', '\\*');

function row({ id, title, load, answers, p99, recovery, breaches, notes, seed }: Outcome): string {
  const healed = recovery === null ? 'nothing to heal' : `${recovery.toFixed(1)} s`;
  const broken = breaches.map(({ number, name, what }) => `${number} ${name}: ${cell(what[0] ?? '')}`);
  const verdict = broken.length === 0 ? 'passed' : `**failed**: ${broken.join('; ')}`;
  const told = [cell(title), ...notes.map(cell)].join('; ');
  return `| ${id} | ${told} | ${load} | ${counts(answers)} | ${p99} ms | ${healed} | ${16 - breaches.length}/16 | ${seed} | ${verdict} |`;
}

const faultTable = (outcomes: readonly Outcome[]): string =>
  [
    '| Fault | What | Load | Answers | p99 | Recovery | Invariants | Seed | Verdict |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...outcomes.map(row),
  ].join('\n');

const notRun = (outcomes: readonly Outcome[]): string => {
  const left = scenarios.filter(({ id }) => !outcomes.some((each) => each.id === id)).map(({ id }) => id);
  return left.length === 0
    ? 'All of them were run.'
    : `Written, and not run for this page: ${left.join(', ')}.`;
};

const mutantTable = (mutants: readonly Caught[]): string =>
  [
    '| Mutant | Mistake | Against | Caught by |',
    '| --- | --- | --- | --- |',
    ...mutants.map(
      ({ id, title, scenario, caught, by }) =>
        `| ${id} | ${title} | ${scenario} | ${caught ? cell(by) : '**not caught**'} |`,
    ),
  ].join('\n');

const sections = ({ machine, outcomes, mutants }: Report): string => {
  const failed = outcomes.filter(({ breaches }) => breaches.length > 0).length;
  const caught = mutants.filter((each) => each.caught).length;
  return `${introduction}
## Faults

${outcomes.length - failed} of ${outcomes.length} passed. ${machine}

${faultTable(outcomes)}

${notRun(outcomes)}

## Mistakes that the suite has to catch

Each is a small patch of the built service; a suite that stays green with it proves nothing. ${caught} of ${mutants.length} were caught, each by an
invariant that is about it.

${mutantTable(mutants)}

${ending}`;
};

const numberOf = (id: string): number => Number(/\d+/.exec(id)?.[0]);

function read(file: string): Report {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Report;
  return { machine: '', outcomes: [], mutants: [] };
}

/** Renews both files with what was run; what an earlier run told of other faults stays. */
export async function writeReport(
  name: string,
  { outcomes = [], mutants = [] }: { outcomes?: readonly Outcome[]; mutants?: readonly Caught[] },
): Promise<void> {
  const before = read(`${name}.json`);
  const at = new Date().toISOString();
  const merged = <T extends { id: string }>(old: readonly T[], fresh: readonly T[]): T[] =>
    [...old.filter(({ id }) => !fresh.some((each) => each.id === id)), ...fresh].toSorted(
      (a, b) => (numberOf(a.id) || 0) - (numberOf(b.id) || 0) || a.id.localeCompare(b.id),
    );
  const report: Report = {
    machine: `Measured on ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}) that did other work as well.`,
    outcomes: merged(
      before.outcomes,
      outcomes.map((outcome) => ({ ...outcome, at })),
    ),
    mutants: merged(before.mutants, mutants),
  };
  const style = { printWidth: 110, singleQuote: true };
  writeFileSync(`${name}.json`, await format(JSON.stringify(report, null, 2), { ...style, parser: 'json' }));
  writeFileSync(`${name}.md`, await format(sections(report), { ...style, parser: 'markdown' }));
}
