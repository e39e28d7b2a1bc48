import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { deleteBatch } from '../../core/database/delete-batch.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { Session } from './session.entity.js';

/** Ended and expired sessions are kept this long, for investigations. */
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
    this.jobs.repeat('session_upkeep', '23 * * * *', () => this.remove());
  }

  /** Short transactions, so that no other query waits for a long one. */
  async remove(): Promise<void> {
    const time = this.clock.in(-KEEP_SECONDS);
    const over = { where: 'coalesce(ended_at, expires_at) < $1', time, limit: BATCH };
    let removed = BATCH;
    while (removed === BATCH) {
      removed = await this.database.transaction((tx) => deleteBatch(tx, Session, over));
    }
  }
}
