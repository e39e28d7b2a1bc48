import { channel } from 'node:diagnostics_channel';
import type { ProblemCode } from '../problems/problem-catalogue.js';

/**
 * Events for metrics. The emitter does not know its subscribers. Every string comes from a closed set: it becomes a
 * metric label, and label cardinality must stay low.
 */
export interface TelemetryEvents {
  /** `route` is the template or `none`; `status` is 499 if the client disconnected first. */
  request_completed: { method: string; route: string; status: number; seconds: number };
  problem_sent: { code: ProblemCode };
  token_requested: { grant: string; outcome: 'issued' | ProblemCode };
  account_locked: object;
  password_hashed: { outcome: 'done' | 'refused' };
  breach_looked_up: { outcome: 'found' | 'not_found' | 'failed' };
  /** Emitted before the commit, so events that are rolled back are counted too. */
  audit_recorded: { action: string; outcome: string };
  audit_failed: object;
  log_failed: { reason: 'dropped' | 'error' };
  upstream_called: { upstream: string; operation: string; outcome: string; seconds: number };
  upstream_retried: { upstream: string };
  upstream_paused: { upstream: string };
  group_changed: {
    change: 'people' | 'groups';
    result: 'done' | 'refused' | 'busy' | 'failed';
    seconds: number;
  };
  group_lock_waited: { result: 'done' | 'refused' | 'busy' | 'failed'; seconds: number };
  /** `result` is `accepted` or a code of a rejected event. */
  usage_events_received: { result: string; count: number };
  usage_rolled_up: { result: 'completed' | 'failed'; seconds: number };
  report_export_ended: { format: string; result: 'succeeded' | 'failed' | 'cancelled'; seconds: number };
  webhook_attempted: { kind: string; result: string; seconds: number };
  /** `rejected`: permanently, by the mail server. */
  mail_attempted: { outcome: 'sent' | 'rejected' | 'failed' };
  job_done: { queue: string; result: 'completed' | 'failed' | 'given_up'; seconds: number };
}

export type TelemetryEvent = keyof TelemetryEvents;

const channelOf = (name: TelemetryEvent) => channel(`vitrine:${name}`);

/** Emits an event; almost free without subscribers. */
export function emit<K extends TelemetryEvent>(name: K, facts: TelemetryEvents[K]): void {
  const events = channelOf(name);
  if (events.hasSubscribers) events.publish(facts);
}

/** Returns a function that unsubscribes. */
export function subscribe<K extends TelemetryEvent>(
  name: K,
  listener: (facts: TelemetryEvents[K]) => void,
): () => void {
  const events = channelOf(name);
  const subscriber = (facts: unknown): void => listener(facts as TelemetryEvents[K]);
  events.subscribe(subscriber);
  return () => {
    events.unsubscribe(subscriber);
  };
}
