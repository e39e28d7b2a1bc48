import type { RunOptions } from './run-scenario.js';
import { runScenario } from './run-scenario.js';
import { isOwn, type Outcome, type OwnScenario, type Scenario } from './scenario.js';
import { buildMutant, type Mutant, mutants } from './mutants.js';
import { scenarios } from './scenarios/all.js';

/** Long enough to show the mistake. */
const shortened = (scenario: Scenario): Scenario => ({
  ...scenario,
  seconds: Math.min(scenario.seconds, 16),
});

const scenarioOf = ({ scenario }: Mutant): Scenario | OwnScenario => {
  const found = scenarios.find(({ id }) => id === scenario);
  if (found === undefined) throw new Error(`No such scenario: ${scenario}`);
  return isOwn(found) ? found : shortened(found);
};

const run = (scenario: Scenario | OwnScenario, options: RunOptions): Promise<Outcome> =>
  isOwn(scenario) ? scenario.run({ ...options, long: false }) : runScenario(scenario, options);

export interface Caught {
  id: string;
  title: string;
  scenario: string;
  caught: boolean;
  by: string;
}

/** Runs the suite against mistakes. A green suite says something only when each of them turns it red. */
export async function selfTest(root: string, options: RunOptions, only?: string[]): Promise<Caught[]> {
  const results: Caught[] = [];
  for (const mutant of mutants.filter(({ id }) => only?.includes(id) ?? true)) {
    console.log(`mutant (${mutant.id}) ${mutant.title}, against ${mutant.scenario}`);
    const built = buildMutant(root, mutant);
    try {
      results.push(await catchIt(mutant, { ...options, dist: built.dist }));
    } finally {
      built.remove();
    }
    const { caught, by } = results.at(-1) as Caught;
    console.log(`  ${caught ? 'caught' : 'NOT CAUGHT'}: ${by}`);
  }
  return results;
}

async function catchIt(mutant: Mutant, options: RunOptions): Promise<Caught> {
  const { id, title, scenario, breaks } = mutant;
  // A service that does not even start is no mutant: that would be caught by anything.
  const { breaches } = await run(scenarioOf(mutant), options);
  const meant = breaches.find(({ number }) => breaks.includes(number));
  const by = meant ?? breaches[0];
  const told = by === undefined ? 'nothing' : `invariant ${by.number}, ${by.name}: ${by.what[0]}`;
  return { id, title, scenario, caught: meant !== undefined, by: told };
}
