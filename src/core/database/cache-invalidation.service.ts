import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { EntityManager, QueryRunner } from 'typeorm';
import { StartupTasks } from '../lifecycle/startup-tasks.service.js';
import { NotificationConnectionService } from './notification-connection.service.js';

/** What replicas may remember, and have to forget: who may do what, and what there is to see. */
export type Topic = 'catalogue' | 'rights';

/** Ids of whom or what it is about; undefined when it may be about everything. */
export type Keys = readonly string[] | undefined;

type Handler = (keys: Keys) => void;
type Pending = Map<Topic, Set<string> | undefined>;

interface Notification {
  topic: Topic;
  epoch: number;
  keys: string[] | null;
}

const CHANNEL = 'vitrine_changes';
const POLL_MS = 400;
const CURRENT_MS = 1000;
/** PostgreSQL takes 8,000 bytes for all of it. */
const MAX_KEYS = 100;

/** Topics in one order, so that no two transactions wait for each other's. */
const NOTIFY_SQL = `
WITH said AS (
  SELECT topic, keys FROM json_to_recordset($1) AS said (topic text, keys json) ORDER BY topic
), bumped AS (
  INSERT INTO change_epochs (topic, epoch) SELECT topic, 1 FROM said
  ON CONFLICT (topic) DO UPDATE SET epoch = change_epochs.epoch + 1
  RETURNING topic, epoch
)
SELECT pg_notify('${CHANNEL}', json_build_object('topic', topic, 'epoch', epoch, 'keys', keys)::text)
FROM bumped JOIN said USING (topic)`;

/**
 * Tells every replica what has changed: at once on the one that changed it, by a notification on the others, and within
 * a second by the epochs where notifications do not come through. For caches: forget in the handler, and use what is
 * remembered only while `isCurrent`. What was read before a handler was called must not be remembered after it.
 */
@Injectable()
export class CacheInvalidationService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly pending = new WeakMap<QueryRunner, Pending>();
  private readonly handlers = new Map<Topic, Handler[]>();
  private readonly epochs = new Map<string, number>();
  private checkedAt = -Infinity;
  private readonly stopping = new AbortController();
  private polling?: Promise<void>;

  constructor(
    private readonly line: NotificationConnectionService,
    private readonly startup: StartupTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.startup.begin({ step: 'invalidation', after: 'notifications' }, () => this.start());
  }

  /** Whether everything that was committed more than a second ago has been handed to the handlers. */
  get isCurrent(): boolean {
    return performance.now() - this.checkedAt < CURRENT_MS;
  }

  /** Part of the transaction, and carried out at its end: the row of the topic is held for the commit only. */
  publish({ queryRunner }: EntityManager, topic: Topic, key?: string): void {
    if (queryRunner === undefined) throw new Error('A change is published in its transaction');
    const pending: Pending = this.pending.get(queryRunner) ?? new Map();
    this.pending.set(queryRunner, pending);
    const keys = pending.has(topic) ? pending.get(topic) : new Set<string>();
    if (key !== undefined) keys?.add(key);
    pending.set(topic, key === undefined || (keys?.size ?? 0) > MAX_KEYS ? undefined : keys);
  }

  /** The handler is called with what changed, more often rather than less. It must not throw. */
  on(topic: Topic, handler: Handler): void {
    this.handlers.set(topic, [...(this.handlers.get(topic) ?? []), handler]);
  }

  /** For whoever commits: writes down what was published in the transaction, and answers it for `happened`. */
  async flush(tx: EntityManager): Promise<Pending> {
    const pending = tx.queryRunner && this.pending.get(tx.queryRunner);
    if (pending === undefined) return new Map();
    const said = [...pending].map(([topic, keys]) => ({ topic, keys: keys && [...keys] }));
    await tx.query(NOTIFY_SQL, [JSON.stringify(said)]);
    return pending;
  }

  /** On this replica, before anybody gets an answer; also where the commit's own answer was lost. */
  dispatchLocal(settled: Pending): void {
    for (const [topic, keys] of settled) this.dispatch(topic, keys && [...keys]);
  }

  private async start(): Promise<void> {
    await this.line.listen({
      channel: CHANNEL,
      onPayload: (payload) => this.onNotification(JSON.parse(payload) as Notification),
      onConnect: () => undefined,
    });
    this.polling ??= this.poll();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.polling;
  }

  /** Also the sign of life of the connection that listens. */
  private async poll(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.check().catch(() => undefined);
      await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async check(): Promise<void> {
    const askedAt = performance.now();
    const rows = await this.line.query<{ topic: Topic; epoch: string }>(
      'SELECT topic, epoch FROM change_epochs',
    );
    const known = this.checkedAt !== -Infinity;
    for (const { topic, epoch } of rows) {
      if (Number(epoch) === this.epochs.get(topic)) continue;
      this.epochs.set(topic, Number(epoch));
      if (known) this.dispatch(topic, undefined);
    }
    this.checkedAt = askedAt;
  }

  /** One that follows on what is known tells all; after a gap nobody knows what was in it. */
  private onNotification({ topic, epoch, keys }: Notification): void {
    const had = this.epochs.get(topic) ?? 0;
    if (epoch <= had) return;
    this.epochs.set(topic, epoch);
    this.dispatch(topic, epoch === had + 1 ? (keys ?? undefined) : undefined);
  }

  private dispatch(topic: Topic, keys: Keys): void {
    for (const handler of this.handlers.get(topic) ?? []) handler(keys);
  }
}
