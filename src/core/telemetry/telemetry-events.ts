import { channel } from 'node:diagnostics_channel';
import type { ProblemCode } from '../problems/problem-catalogue.js';

/**
 * What is worth counting. Whoever it happens to says so and knows nothing of who counts. Every text is of a closed set:
 * it becomes a label, and labels must stay few.
 */
export interface Happenings {
  /** `route` is the template, or `none`; `status` is 499 where the caller went away first. */
  request_answered: { method: string; route: string; status: number; seconds: number };
  problem_answered: { code: ProblemCode };
  token_requested: { grant: string; outcome: 'issued' | ProblemCode };
  account_locked: object;
  password_hashed: { outcome: 'done' | 'refused' };
  breach_looked_up: { outcome: 'found' | 'not_found' | 'failed' };
  /** Before the commit: what is rolled back was told too. */
  audit_recorded: { action: string; outcome: string };
  audit_failed: object;
  log_failed: { reason: 'dropped' | 'error' };
  upstream_called: { upstream: string; operation: string; outcome: string; seconds: number };
  upstream_retried: { upstream: string };
  upstream_paused: { upstream: string };
  job_done: { queue: string; result: 'completed' | 'failed' | 'given_up'; seconds: number };
}

export type Happening = keyof Happenings;

const channelOf = (name: Happening) => channel(`vitrine:${name}`);

/** Costs next to nothing while nobody listens. */
export function happened<K extends Happening>(name: K, facts: Happenings[K]): void {
  const told = channelOf(name);
  if (told.hasSubscribers) told.publish(facts);
}

/** Answers what ends the listening. */
export function onHappening<K extends Happening>(
  name: K,
  listener: (facts: Happenings[K]) => void,
): () => void {
  const told = channelOf(name);
  const subscriber = (facts: unknown): void => listener(facts as Happenings[K]);
  told.subscribe(subscriber);
  return () => {
    told.unsubscribe(subscriber);
  };
}
