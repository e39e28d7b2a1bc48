import type { RunOptions } from './run-scenario.js';
import { runScenario } from './run-scenario.js';
import { isCustom, type Outcome, type CustomScenario, type Scenario } from './scenario.js';
import { buildMutant, type Mutant, mutants } from './mutants.js';
import { scenarios } from './scenarios/all.js';

/** Long enough to detect the defect. */
const shortened = (scenario: Scenario): Scenario => ({
  ...scenario,
  seconds: Math.min(scenario.seconds, 16),
});

const scenarioOf = ({ scenario }: Mutant): Scenario | CustomScenario => {
  const found = scenarios.find(({ id }) => id === scenario);
  if (found === undefined) throw new Error(`No such scenario: ${scenario}`);
  return isCustom(found) ? found : shortened(found);
};

const run = (scenario: Scenario | CustomScenario, options: RunOptions): Promise<Outcome> =>
  isCustom(scenario) ? scenario.run({ ...options, long: false }) : runScenario(scenario, options);

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
      results.push(await runMutant(mutant, { ...options, dist: built.dist }));
    } finally {
      built.remove();
    }
    const { caught, by } = results.at(-1) as MutantResult;
    console.log(`  ${caught ? 'caught' : 'NOT CAUGHT'}: ${by}`);
  }
  return results;
}

async function runMutant(mutant: Mutant, options: RunOptions): Promise<MutantResult> {
  const { id, title, scenario, breaks } = mutant;
  // An error at startup is not caught here: it would not prove that the invariants detect the defect.
  const { breaches } = await run(scenarioOf(mutant), options);
  const expected = breaches.find(({ number }) => breaks.includes(number));
  const by = expected ?? breaches[0];
  const description = by === undefined ? 'nothing' : `invariant ${by.number}, ${by.name}: ${by.what[0]}`;
  return { id, title, scenario, caught: expected !== undefined, by: description };
}
