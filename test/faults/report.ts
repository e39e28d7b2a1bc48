import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Outcome } from './scenario.js';

const answers = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

const row = ({ id, title, load, answers: counts, p99, recovery, breaches, seed }: Outcome): string => {
  const healed = recovery === null ? 'none needed' : `${recovery.toFixed(1)} s`;
  const held = 16 - breaches.length;
  const broken = breaches.map(({ number, name, what }) => `${number} ${name}: ${what[0]}`).join('; ');
  const verdict = breaches.length === 0 ? 'passed' : `**failed**: ${broken}`;
  return `| ${id} | ${title} | ${load} | ${answers(counts)} | ${p99} ms | ${healed} | ${held} of 16 | ${seed} | ${verdict} |`;
};

/** The table of a report. */
export const tableOf = (outcomes: readonly Outcome[]): string =>
  [
    '| Fault | What | Load | Answers | p99 | Recovery | Invariants | Seed | Verdict |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...outcomes.map(row),
  ].join('\n');

const numberOf = (id: string): number => Number(/\d+/.exec(id)?.[0]);

/** Writes what was run into both files; what an earlier run told of other faults stays. */
export function writeReport(name: string, outcomes: readonly Outcome[]): void {
  const file = `${name}.json`;
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Outcome[]) : [];
  const kept = before.filter(({ id }) => !outcomes.some((each) => each.id === id));
  const all = [...kept, ...outcomes].toSorted((a, b) => numberOf(a.id) - numberOf(b.id) || a.id.localeCompare(b.id));
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(`${name}.md`, `${tableOf(all)}\n`);
}
