import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DatabaseService } from '../../core/database/database.service.js';
import { withOwnDeadline } from '../../core/http/request-context.js';
import { StartupTasks } from '../../core/lifecycle/startup-tasks.service.js';
import { EventFeedService } from './event-feed.service.js';
import { assignSeqs, readState } from './events.queries.js';

/** Finds the events of the command line and of replicas that ended between commit and assignment. */
const POLL_MS = 1000;
/** Time in which further commits join the same assignment; longer while there are many. */
const GATHER_MS = 25;
const GATHER_MANY_MS = 200;
const MANY = 5;
const BATCH = 1000;

/**
 * Assigns the seq of committed events. A seq that the transaction itself took would become visible late: a reader after
 * a higher seq would miss it. Every replica drains, one at a time.
 */
@Injectable()
export class EventDrainService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(EventDrainService.name);
  private readonly stopping = new AbortController();
  private running?: Promise<void>;
  private waiting?: PromiseWithResolvers<void>;
  private isWoken = false;
  private hasFailed = false;

  constructor(
    private readonly database: DatabaseService,
    private readonly feed: EventFeedService,
    private readonly startup: StartupTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.startup.begin({ after: 'notifications' }, () => {
      this.running ??= this.run();
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    this.waiting?.resolve();
    await this.running;
  }

  /** Events of this replica were committed. */
  wake(): void {
    this.isWoken = true;
    this.waiting?.resolve();
  }

  /** Assigns all committed events and returns their number. */
  async drain(): Promise<number> {
    const { lastSeq, isPending } = await withOwnDeadline(() => readState(this.database.manager));
    this.feed.announce(lastSeq);
    let assigned = 0;
    for (let isMore = isPending; isMore && !this.stopping.signal.aborted;) {
      const done = await withOwnDeadline(() => this.database.newTransaction((tx) => assignSeqs(tx, BATCH)));
      this.feed.announce(done.lastSeq);
      assigned += done.assigned;
      isMore = done.assigned === BATCH;
    }
    return assigned;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      this.isWoken = false;
      const assigned = await this.attempt();
      await this.pause();
      const gather = assigned < MANY ? GATHER_MS : GATHER_MANY_MS;
      await sleep(gather, undefined, { signal }).catch(() => undefined);
    }
  }

  private async attempt(): Promise<number> {
    try {
      const assigned = await this.drain();
      this.hasFailed = false;
      return assigned;
    } catch (error) {
      if (!this.hasFailed) this.logger.warn({ msg: 'events not assigned; trying again', err: error });
      this.hasFailed = true;
      return 0;
    }
  }

  /** Until the next commit on this replica, or the next poll. After a failure, only the poll. */
  private async pause(): Promise<void> {
    if (this.isWoken && !this.hasFailed) return;
    this.waiting = Promise.withResolvers<void>();
    const timer = setTimeout(() => this.waiting?.resolve(), POLL_MS);
    await this.waiting.promise;
    clearTimeout(timer);
    this.waiting = undefined;
  }
}
