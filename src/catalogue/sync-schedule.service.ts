import { setTimeout as sleep } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Config } from '../core/config/config.js';
import { withOwnDeadline } from '../core/http/request-context.js';
import { JobsService } from '../platform/jobs/jobs.service.js';
import { CatalogueSyncService } from './catalogue-sync.service.js';
import { SyncsService } from './syncs.service.js';

const POLL_INTERVAL_MS = 30_000;
const FIRST_SYNC_POLL_MS = 50;

/** Runs queued syncs, and queues one when the last is older than the configured interval. */
@Injectable()
export class SyncScheduleService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SyncScheduleService.name);
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly config: Config,
    private readonly jobs: JobsService,
    private readonly sync: CatalogueSyncService,
    private readonly syncs: SyncsService,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.onStarted(async (signal) => {
      await this.start();
      if (this.config.sync.beforeReady) await this.firstSync(signal);
    });
  }

  private async start(): Promise<void> {
    const { intervalMinutes, beforeReady } = this.config.sync;
    if ((intervalMinutes > 0 || beforeReady) && !(await this.syncs.hasSucceeded())) {
      await this.syncs.requestIfOlder(1, 'start');
    }
    await this.jobs.work<{ run_id: string }>('catalogue_sync', ({ run_id }, { isLast }) =>
      this.sync.run(run_id, isLast),
    );
    if (intervalMinutes > 0)
      this.timer = setInterval(() => void this.check(intervalMinutes), POLL_INTERVAL_MS).unref();
  }

  /**
   * Runs before the same hook of the job queue, whose module is global, so that another replica takes over the running
   * sync.
   */
  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
    this.sync.stop();
  }

  private async firstSync(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !(await this.syncs.hasSucceeded())) await sleep(FIRST_SYNC_POLL_MS);
  }

  private async check(intervalMinutes: number): Promise<void> {
    try {
      await withOwnDeadline(() => this.syncs.requestIfOlder(intervalMinutes, 'schedule'));
    } catch (error) {
      this.logger.warn({ msg: 'scheduling a catalogue sync failed', err: error });
    }
  }
}
