import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { withOwnDeadline } from '../../core/http/request-context.js';
import { StartupTasks } from '../../core/lifecycle/startup-tasks.service.js';
import { EventFeedService } from '../outbox/event-feed.service.js';
import { readState } from '../outbox/events.queries.js';
import { WebhookWorkerService } from './webhook-worker.service.js';
import { claimWebhooks, releaseLease } from './webhooks.queries.js';
import { MAX_WEBHOOKS } from './webhooks.service.js';

const POLL_MS = 1000;
/** Between two searches, however many events there are. */
const GATHER_MS = 50;
/** Attempts that run longer are abandoned at shutdown; another replica repeats them when the lease expires. */
const STOP_MS = 5000;

/**
 * Starts a worker for each endpoint that has something to deliver. Endpoints are leased in the database: at any time
 * one worker of all replicas delivers to an endpoint, so its order is kept, and a slow receiver blocks only itself.
 */
@Injectable()
export class WebhookDispatcherService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(WebhookDispatcherService.name);
  private readonly stopping = new AbortController();
  private readonly running = new Map<string, Promise<void>>();
  private wake = new AbortController();
  private polling?: Promise<void>;
  private unsubscribe = (): void => undefined;

  constructor(
    private readonly database: DatabaseService,
    private readonly feed: EventFeedService,
    private readonly worker: WebhookWorkerService,
    private readonly startup: StartupTasks,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.startup.begin({ after: 'jobs' }, () => {
      this.unsubscribe = this.feed.subscribe(() => this.wake.abort());
      this.polling ??= this.poll();
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.unsubscribe();
    this.stopping.abort();
    this.wake.abort();
    await this.polling;
    await Promise.race([
      Promise.allSettled(this.running.values()),
      sleep(STOP_MS, undefined, { ref: false }),
    ]);
  }

  private async poll(): Promise<void> {
    for (let failures = 0; !this.stopping.signal.aborted;) {
      this.wake = new AbortController();
      try {
        await this.dispatch();
        failures = 0;
      } catch (error) {
        if (failures++ % 60 === 0) this.logger.warn({ msg: 'webhooks could not be dispatched', err: error });
      }
      const { signal } = this.wake;
      await sleep(POLL_MS, undefined, { signal, ref: false }).catch(() => undefined);
      const stopping = { signal: this.stopping.signal, ref: false };
      await sleep(GATHER_MS, undefined, stopping).catch(() => undefined);
    }
  }

  private async dispatch(): Promise<void> {
    const limit = MAX_WEBHOOKS - this.running.size;
    if (limit <= 0) return;
    const worker = uuidv7();
    for (const id of await withOwnDeadline(() => this.claim(worker, limit))) {
      const work = this.deliver(id, worker).finally(() => this.running.delete(`${id} ${worker}`));
      this.running.set(`${id} ${worker}`, work);
    }
  }

  private async claim(worker: string, limit: number): Promise<string[]> {
    const { manager } = this.database;
    return claimWebhooks(manager, {
      worker,
      now: this.clock.now(),
      head: (await readState(manager)).lastSeq,
      limit,
    });
  }

  /** A failure of the database ends the worker; its lease expires. */
  private async deliver(id: string, worker: string): Promise<void> {
    try {
      await this.worker.run(id, worker, this.stopping.signal);
      await releaseLease(this.database.manager, id, worker);
    } catch (error) {
      this.logger.warn({ msg: 'the delivery to a webhook was interrupted', webhook: id, err: error });
      await releaseLease(this.database.manager, id, worker).catch(() => undefined);
    }
  }
}
