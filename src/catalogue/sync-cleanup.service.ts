import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import { deleteInBatches } from '../core/database/delete-batch.js';
import { JobsService } from '../platform/jobs/jobs.service.js';
import { SyncRun } from './sync-run.entity.js';

const KEEP_SECONDS = 90 * 86_400;

/** SQL subquery: the newest of these runs. Runs finish in the order in which they were queued. */
const newest = (where: string): string =>
  `(SELECT id FROM sync_runs WHERE ${where} ORDER BY queued_at DESC, id DESC LIMIT 1)`;
/** The runs that the metrics and the start of the service read, also if no sync runs for long. */
const kept = `${newest('finished_at IS NOT NULL')} UNION ALL ${newest(`status IN ('succeeded', 'partial')`)}`;

/** Deletes runs that finished long ago. */
@Injectable()
export class SyncCleanupService implements OnApplicationBootstrap {
  constructor(
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.repeat('sync_cleanup', '53 3 * * *', () => this.remove());
  }

  async remove(): Promise<void> {
    const where = `finished_at < $1 AND id <> ALL(ARRAY(${kept}))`;
    await deleteInBatches(this.database, SyncRun, { where, time: this.clock.in(-KEEP_SECONDS) });
  }
}
