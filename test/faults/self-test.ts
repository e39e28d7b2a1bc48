import { runInProcess } from './scenario-runner.js';
import type { RunOptions } from './run-scenario.js';
import { buildMutant, type Mutant, mutants } from './mutants.js';

/** Seconds of load: long enough to detect the defect. */
const SECONDS = 16;

export interface MutantResult {
  id: string;
  title: string;
  scenario: string;
  caught: boolean;
  by: string;
}

/** Runs the suite against services with a known defect; it must fail for each of them. */
export async function selfTest(root: string, options: RunOptions, only?: string[]): Promise<MutantResult[]> {
  const results: MutantResult[] = [];
  for (const mutant of mutants.filter(({ id }) => only?.includes(id) ?? true)) {
    console.log(`mutant (${mutant.id}) ${mutant.title}, against ${mutant.scenario}`);
    const built = buildMutant(root, mutant);
    try {
      results.push(await runMutant(root, mutant, { ...options, dist: built.dist }));
    } finally {
      built.remove();
    }
    const { caught, by } = results.at(-1) as MutantResult;
    console.log(`  ${caught ? 'caught' : 'NOT CAUGHT'}: ${by}`);
  }
  return results;
}

async function runMutant(root: string, mutant: Mutant, options: RunOptions): Promise<MutantResult> {
  const { id, title, scenario, breaks } = mutant;
  const { breaches } = await runInProcess(root, { id: scenario, options, long: false, seconds: SECONDS });
  const expected = breaches.find(({ number }) => breaks.includes(number));
  const by = expected ?? breaches[0];
  const description = by === undefined ? 'nothing' : `invariant ${by.number}, ${by.name}: ${by.what[0]}`;
  return { id, title, scenario, caught: expected !== undefined, by: description };
}
