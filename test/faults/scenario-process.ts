import { Cluster } from './parts/cluster.js';
import { type RunOptions, runScenario } from './run-scenario.js';
import { isCustom, type Scenario } from './scenario.js';
import { scenarios } from './scenarios/all.js';

/** What this process runs, as its argument in JSON. It sends the outcome to its parent. */
export interface Order {
  id: string;
  options: RunOptions;
  long: boolean;
  /** Seconds of load at most. */
  seconds?: number;
}

async function run({ id, options, long, seconds = Infinity }: Order): Promise<void> {
  const scenario = scenarios.find((each) => each.id === id);
  if (scenario === undefined) throw new Error(`No such scenario: ${id}`);
  const shortened = (each: Scenario): Scenario => ({ ...each, seconds: Math.min(each.seconds, seconds) });
  const outcome = isCustom(scenario)
    ? await scenario.run({ ...options, long })
    : await runScenario(shortened(scenario), options);
  await new Promise((resolve) => process.send?.(outcome, resolve));
}

async function stop(): Promise<void> {
  const clusters = [...Cluster.running];
  await Promise.allSettled(clusters.map((cluster) => cluster.stop()));
  for (const cluster of clusters) cluster.remove();
  process.exit(130);
}

// `disconnect`: the parent was killed.
for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(event, () => void stop());
await run(JSON.parse(process.argv[2] ?? '') as Order);
// Connections that a fault left open would keep the process running.
process.exit();
