import type { Expectation } from './check/evidence.js';
import type { Breach } from './check/invariants.js';
import type { Caller } from './load/caller.js';
import type { Mix } from './load/generator.js';
import type { Entry } from './load/history.js';
import type { Operations } from './load/operations.js';
import type { Sessions } from './load/sessions.js';
import type { TestData } from './load/test-data.js';
import type { Cluster, ClusterOptions } from './parts/cluster.js';

/** What a scenario can use while its load runs. */
export interface Context {
  cluster: Cluster;
  testData: TestData;
  caller: Caller;
  sessions: Sessions;
  operations: Operations;
  seed: number;
  /** Milliseconds since the epoch. */
  faultAt: number;
  faultEndedAt: number;
  /** Further results for the report. */
  notes: string[];
  expect: (name: string, holds: boolean, found: string) => void;
}

/** One fault: the load, the fault, and the expectations in addition to the sixteen invariants. */
export interface Scenario {
  id: string;
  title: string;
  rate: number;
  seconds: number;
  mix?: Mix;
  /** Seconds until the fault starts. */
  at?: number;
  /** Injects the fault and, if it is temporary, ends it. */
  fault: (context: Context) => Promise<void>;
  cluster?: Partial<ClusterOptions>;
  /** Milliseconds by which it shifts the clock of a replica. */
  clockSkewMs?: number;
  /** Milliseconds by which it shifts the clock of Power BI. */
  upstreamClockOffsetMs?: number;
  /** The reason why it cannot run on this machine, or null. */
  obstacle?: () => string | null;
  /** Seconds after the end of the fault within which all requests must succeed again. */
  recovery?: number;
  /** Share of the (selected) requests of the run that must succeed. */
  success?: { share: number; of?: (entry: Entry) => boolean };
  /** Runs after the load. */
  after?: (context: Context) => Promise<void> | void;
}

export interface Outcome {
  id: string;
  title: string;
  seed: number;
  load: string;
  requests: number;
  responses: Record<string, number>;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Seconds from the end of the fault to the last failure; null if the fault does not end. */
  recovery: number | null;
  breaches: Breach[];
  expectations: Expectation[];
  notes: string[];
  seconds: number;
}

/** A scenario without the cluster and the load. */
export interface CustomScenario {
  id: string;
  title: string;
  /** Seconds that it takes on a machine without other load. */
  usualSeconds: (long: boolean) => number;
  run: (options: { seed: number; dist: string; long: boolean }) => Promise<Outcome>;
}

export const isCustom = (scenario: Scenario | CustomScenario): scenario is CustomScenario =>
  'run' in scenario;
