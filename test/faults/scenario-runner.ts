import { join } from 'node:path';
import { runApart } from './run-apart.js';
import { isCustom, type CustomScenario, type Outcome, type Scenario } from './scenario.js';
import type { Order } from './scenario-process.js';
import { scenarios } from './scenarios/all.js';

/** Start, checks and end of a cluster. */
const CLUSTER_SECONDS = 40;
const MIN_LIMIT_SECONDS = 300;

/** Five times what the scenario takes on a machine without other load. */
function limitOf(scenario: Scenario | CustomScenario, long: boolean): number {
  const usual = isCustom(scenario) ? scenario.usualSeconds(long) : scenario.seconds + CLUSTER_SECONDS;
  return Math.max(MIN_LIMIT_SECONDS, usual * 5);
}

const failed = ({ id, title }: Scenario | CustomScenario, seed: number, reason: string): Outcome => ({
  id,
  title,
  seed,
  load: '',
  requests: 0,
  responses: {},
  p50: 0,
  p99: 0,
  recovery: null,
  breaches: [{ number: 0, name: 'the scenario completes', what: [reason] }],
  expectations: [],
  notes: [],
  seconds: 0,
});

/** Runs a scenario in its own process. One that does not complete, or not in time, has failed. */
export async function runInProcess(root: string, order: Order): Promise<Outcome> {
  const scenario = scenarios.find(({ id }) => id === order.id);
  if (scenario === undefined) throw new Error(`No such scenario: ${order.id}`);
  const began = Date.now();
  const program = join(import.meta.dirname, 'scenario-process.js');
  try {
    return await runApart<Outcome>({ root, program, order, limitSeconds: limitOf(scenario, order.long) });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...failed(scenario, order.options.seed, reason), seconds: (Date.now() - began) / 1000 };
  }
}
