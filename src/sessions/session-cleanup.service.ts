import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import { JobsService } from '../jobs/jobs.service.js';
import { deleteExpired } from './sessions.queries.js';

/** Sessions that are over stay so long, for whoever asks what happened. */
const KEEP_SECONDS = 30 * 86_400;
const BATCH = 1000;

@Injectable()
export class SessionCleanupService implements OnApplicationBootstrap {
  constructor(
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.onStarted(() => this.start());
  }

  /** Removes what is over long enough, once an hour, whichever replica comes to it. */
  private async start(): Promise<void> {
    await this.jobs.work('session_upkeep', () => this.remove());
    await this.jobs.schedule('session_upkeep', '23 * * * *');
  }

  /** In short transactions, so that nobody waits for a long one. */
  async remove(): Promise<void> {
    const before = this.clock.in(-KEEP_SECONDS);
    let removed = BATCH;
    while (removed === BATCH) {
      removed = await this.database.transaction((tx) => deleteExpired(tx, before, BATCH));
    }
  }
}
