import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { EntityManager, QueryRunner } from 'typeorm';
import { StartupTasks } from '../lifecycle/startup-tasks.service.js';
import { execute } from './execute.js';
import { NotificationConnectionService } from './notification-connection.service.js';

/** What a change affects. A topic without a handler, as from a replica of another version, is ignored. */
export type Topic = 'rights' | 'branding';

/** Ids that a change affects; undefined invalidates every key of the topic. */
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
/** A busy event loop delays a poll: it must not switch the caches off, which would add to the load. */
const CURRENT_MS = 5000;
/** Bounds the payload: PostgreSQL limits a notification to 8,000 bytes. */
const MAX_KEYS = 100;

/** Updates topics in a fixed order, so that concurrent transactions cannot deadlock on their rows. */
const NOTIFY_SQL = `
WITH changes AS (
  SELECT topic, keys FROM json_to_recordset($1) AS changes (topic text, keys json) ORDER BY topic
), updated AS (
  INSERT INTO change_epochs (topic, epoch) SELECT topic, 1 FROM changes
  ON CONFLICT (topic) DO UPDATE SET epoch = change_epochs.epoch + 1
  RETURNING topic, epoch
)
SELECT pg_notify('${CHANNEL}', json_build_object('topic', topic, 'epoch', epoch, 'keys', keys)::text)
FROM updated JOIN changes USING (topic)`;

/**
 * Publishes committed changes to every replica: directly on the replica that commits, by NOTIFY on the others, and
 * within a second by polling epochs where notifications are not delivered. A cache drops entries in its handler and
 * serves them only while `isCurrent`. A value that was read before a handler call must not be cached after it.
 */
@Injectable()
export class CacheInvalidationService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly pending = new WeakMap<QueryRunner, Pending>();
  private readonly handlers = new Map<Topic, Handler[]>();
  private readonly epochs = new Map<string, number>();
  private checkedAt = -Infinity;
  private isFailing = false;
  private readonly stopping = new AbortController();
  private polling?: Promise<void>;

  constructor(
    private readonly notifications: NotificationConnectionService,
    private readonly startup: StartupTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.startup.begin({ step: 'invalidation', after: 'notifications' }, () => this.start());
  }

  /**
   * False while the epochs cannot be read. Otherwise the handlers have received every change that was committed before
   * the last poll: usually half a second ago, at most 5 s.
   */
  get isCurrent(): boolean {
    return !this.isFailing && performance.now() - this.checkedAt < CURRENT_MS;
  }

  /**
   * Queues a change; `flush` writes it just before the commit, so the topic's row is locked only briefly. Throws
   * Error outside a transaction.
   */
  publish({ queryRunner }: EntityManager, topic: Topic, key?: string): void {
    if (queryRunner === undefined) throw new Error('A change must be published inside a transaction');
    const pending: Pending = this.pending.get(queryRunner) ?? new Map();
    this.pending.set(queryRunner, pending);
    const keys = pending.has(topic) ? pending.get(topic) : new Set<string>();
    if (key !== undefined) keys?.add(key);
    pending.set(topic, key === undefined || (keys?.size ?? 0) > MAX_KEYS ? undefined : keys);
  }

  /** The handler receives the changed keys, possibly more often than necessary. It must not throw. */
  on(topic: Topic, handler: Handler): void {
    this.handlers.set(topic, [...(this.handlers.get(topic) ?? []), handler]);
  }

  /** Runs just before the commit: writes the changes published in the transaction and returns them for `dispatchLocal`. */
  async flush(tx: EntityManager): Promise<Pending> {
    const pending = tx.queryRunner && this.pending.get(tx.queryRunner);
    if (pending === undefined) return new Map();
    const changes = [...pending].map(([topic, keys]) => ({ topic, keys: keys && [...keys] }));
    await execute(tx, NOTIFY_SQL, [JSON.stringify(changes)]);
    return pending;
  }

  /** Calls the handlers of this replica before the client gets a response, also when the outcome of the commit is unknown. */
  dispatchLocal(settled: Pending): void {
    for (const [topic, keys] of settled) this.dispatch(topic, keys && [...keys]);
  }

  private async start(): Promise<void> {
    await this.notifications.listen({
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

  /** Polls the epochs on the listening connection, which also detects that this connection is dead. */
  private async poll(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      this.isFailing = await this.check().then(
        () => false,
        () => true,
      );
      await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async check(): Promise<void> {
    const startedAt = performance.now();
    const rows = await this.notifications.query<{ topic: Topic; epoch: string }>(
      'SELECT topic, epoch FROM change_epochs',
    );
    for (const { topic, epoch } of rows) {
      if (Number(epoch) === this.epochs.get(topic)) continue;
      this.epochs.set(topic, Number(epoch));
      // The first time, too: what was read before may be older.
      this.dispatch(topic, undefined);
    }
    this.checkedAt = startedAt;
  }

  /** A consecutive epoch carries all changed keys. After a gap the missed keys are unknown, so every key is invalidated. */
  private onNotification({ topic, epoch, keys }: Notification): void {
    const previous = this.epochs.get(topic) ?? 0;
    if (!this.handlers.has(topic) || !(epoch > previous)) return;
    this.epochs.set(topic, epoch);
    this.dispatch(topic, epoch === previous + 1 ? (keys ?? undefined) : undefined);
  }

  private dispatch(topic: Topic, keys: Keys): void {
    for (const handler of this.handlers.get(topic) ?? []) handler(keys);
  }
}
