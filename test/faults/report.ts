import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { format } from 'prettier';
import type { Outcome } from './scenario.js';
import { scenarios } from './scenarios/all.js';
import type { MutantResult } from './self-test.js';

export interface Report {
  machine: string;
  outcomes: (Outcome & { at: string })[];
  mutants: MutantResult[];
}

const introduction = `# Fault injection

\`npm run faults\` starts PostgreSQL with a synchronous standby, Redis, three replicas of the built service in production mode, the
Power BI emulator, an SMTP server, a balancer that uses \`/readyz\`, and a TCP proxy in front of each dependency that can delay, drop
or cut connections. It sends sign-ins, reads, embed token requests, invitations and attacks at a constant rate, without waiting for
responses, and injects a fault. Afterwards it checks sixteen invariants against the recorded requests, the database, the emails,
the calls to Power BI and the logs (\`test/faults/check/\`).

Without options it runs the short form. \`--all\` runs every fault, \`--only F7,F8\` the named ones, \`--mutants all\` the test of the
suite itself; \`--seed\` repeats the requests of a run. It requires Debian's \`postgresql\` and \`redis-server\`. A failed run leaves its
history and logs in \`node_modules/.cache/faults\`.

\`--report docs/faults\` writes this page and \`faults.json\`, which has all figures. In the table:

- Load: requests per second and duration.
- Responses: the number per status class; \`none\` counts requests without a response. Most 4xx are attacks and requests for foreign
  workspaces.
- Recovery: the time from the end of the fault to the last failed request.
`;

const ending = `## Not covered

- Power failure with a lost page cache: processes are killed, the kernel keeps running. PostgreSQL runs with \`fsync\` on.
- F13 (full disk) runs only where the suite can mount a file system.
- F21 pauses the process by SIGSTOP; the service has no hook to block its event loop.
- F26 shifts the clock of a replica by 20 s. Tokens of a replica whose clock is off by an hour are rejected.
- F28 adds a column of a later version, but does not run a later version of the service.
- Random pairs of faults, and runs of hours.
- Several machines: everything runs on one machine, over loopback.
`;

const rounded = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });

/** For example "12 ms" or "1.2 s". */
export const duration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${rounded(ms / 1000)} s`;

/** Rounds the long decimals in a text. */
export const readable = (text: string): string =>
  text.replaceAll(/(?<![\d.])\d+\.\d{2,}(?![\d.])/g, (value) => rounded(Number(value)));

const counts = (responses: Record<string, number>): string =>
  Object.entries(responses)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, count]) => `${name} ${count.toLocaleString('en-US')}`)
    .join(', ');

const cell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('<', '\\<').replaceAll('*', '\\*');

/** Scenarios keep their id; an earlier run may have used another title. */
const titleOf = (id: string, title: string): string =>
  scenarios.find((scenario) => scenario.id === id)?.title ?? title;

function row({ id, title, load, responses, p99, recovery, breaches, notes, seed }: Outcome): string {
  const recovered = recovery === null ? 'permanent fault' : duration(recovery * 1000);
  const broken = breaches.map(({ number, name, what }) => `${number} ${name}: ${cell(what[0] ?? '')}`);
  const result = broken.length === 0 ? 'passed' : `**failed**: ${broken.join('; ')}`;
  const description = [titleOf(id, title), ...notes].map((text) => cell(readable(text))).join('; ');
  const holding = `${16 - breaches.length} of 16`;
  const slowest = p99 === 0 ? '' : duration(p99);
  const columns = [
    id,
    description,
    readable(load),
    counts(responses),
    slowest,
    recovered,
    holding,
    seed,
    result,
  ];
  return `| ${columns.join(' | ')} |`;
}

const faultTable = (outcomes: readonly Outcome[]): string =>
  [
    '| Fault | Description | Load | Responses | p99 | Recovery | Invariants | Seed | Result |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...outcomes.map(row),
  ].join('\n');

const notRun = (outcomes: readonly Outcome[]): string => {
  const left = scenarios.filter(({ id }) => !outcomes.some((each) => each.id === id)).map(({ id }) => id);
  return left.length === 0 ? 'Every fault was run.' : `Not run for this page: ${left.join(', ')}.`;
};

const mutantTable = (mutants: readonly MutantResult[]): string =>
  [
    '| Mutant | Defect | Scenario | Detected by |',
    '| --- | --- | --- | --- |',
    ...mutants.map(
      ({ id, title, scenario, caught, by }) =>
        `| ${id} | ${title} | ${scenario} | ${caught ? cell(readable(by)) : '**not detected**'} |`,
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

## Test of the suite

Each mutant is a small patch of the built service with a typical defect, which the suite must detect. ${caught} of ${mutants.length} were detected, each
by an invariant for that defect.

${mutantTable(mutants)}

${ending}`;
};

const numberOf = (id: string): number => Number(/\d+/.exec(id)?.[0]);

function read(file: string): Report {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Report;
  return { machine: '', outcomes: [], mutants: [] };
}

const style = { printWidth: 110, singleQuote: true };

/** The document of a report, as formatted Markdown. */
export const render = (report: Report): Promise<string> =>
  format(sections(report), { ...style, parser: 'markdown' });

/** Writes both files with the new results, and keeps earlier results of other faults. */
export async function writeReport(
  name: string,
  { outcomes = [], mutants = [] }: { outcomes?: readonly Outcome[]; mutants?: readonly MutantResult[] } = {},
): Promise<void> {
  const before = read(`${name}.json`);
  const at = new Date().toISOString();
  const merged = <T extends { id: string }>(old: readonly T[], fresh: readonly T[]): T[] =>
    [...old.filter(({ id }) => !fresh.some((each) => each.id === id)), ...fresh].toSorted(
      (a, b) => (numberOf(a.id) || 0) - (numberOf(b.id) || 0) || a.id.localeCompare(b.id),
    );
  const measured = `Measured on ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}) with other load on the machine.`;
  const report: Report = {
    machine: outcomes.length > 0 ? measured : before.machine,
    outcomes: merged(
      before.outcomes,
      outcomes.map((outcome) => ({ ...outcome, at })),
    ),
    mutants: merged(before.mutants, mutants),
  };
  writeFileSync(`${name}.json`, await format(JSON.stringify(report, null, 2), { ...style, parser: 'json' }));
  writeFileSync(`${name}.md`, await render(report));
}
