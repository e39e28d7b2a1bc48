import type { Expectation } from './check/evidence.js';
import type { Breach } from './check/invariants.js';
import type { Caller } from './load/caller.js';
import type { Mix } from './load/generator.js';
import type { Entry } from './load/history.js';
import type { Operations } from './load/operations.js';
import type { Sessions } from './load/sessions.js';
import type { World } from './load/world.js';
import type { Stand, StandOptions } from './parts/stand.js';

/** What a scenario has in hand while its load runs. */
export interface Context {
  stand: Stand;
  world: World;
  caller: Caller;
  sessions: Sessions;
  operations: Operations;
  seed: number;
  /** Milliseconds since the epoch; set by the fault when it begins and when all is well again. */
  faultAt: number;
  healedAt: number;
  /** What the report should tell beside its columns. */
  notes: string[];
  expect: (name: string, holds: boolean, found: string) => void;
}

/** One fault: how much is going on, what breaks, and what has to hold beside the sixteen invariants. */
export interface Scenario {
  id: string;
  title: string;
  rate: number;
  seconds: number;
  mix?: Mix;
  /** Seconds after which the fault begins. */
  at?: number;
  /** Breaks something and, unless it stays broken, mends it. */
  fault: (context: Context) => Promise<void>;
  stand?: Partial<StandOptions>;
  /** Milliseconds by which it makes a clock wrong. */
  skewMs?: number;
  /** Milliseconds by which it moves Power BI's clock. */
  upstreamAheadMs?: number;
  /** Why it cannot be run on this machine; null: it can. */
  obstacle?: () => string | null;
  /** Seconds after healing within which everything must work. */
  recovery?: number;
  /** Share of requests that has to succeed, over the whole run, of those that this tells; the rest of the bounds: `expect`. */
  success?: { share: number; of?: (entry: Entry) => boolean };
  /** Asked when the load is over. */
  after?: (context: Context) => Promise<void> | void;
}

export interface Outcome {
  id: string;
  title: string;
  seed: number;
  load: string;
  requests: number;
  answers: Record<string, number>;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Seconds from healing to the last failure; null where nothing is healed. */
  recovery: number | null;
  breaches: Breach[];
  expectations: Expectation[];
  notes: string[];
  seconds: number;
}

/** One that needs something quite different from a stand with a load. */
export interface OwnScenario {
  id: string;
  title: string;
  run: (options: { seed: number; dist: string; long: boolean }) => Promise<Outcome>;
}

export const isOwn = (scenario: Scenario | OwnScenario): scenario is OwnScenario => 'run' in scenario;
