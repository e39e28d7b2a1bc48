import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { deleteInBatches } from '../../core/database/delete-batch.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { AccessRequest } from './access-request.entity.js';

/** Requests are deleted this long after their creation, also pending ones: a person can send a new one. */
const KEEP_SECONDS = 90 * 86_400;

@Injectable()
export class AccessRequestCleanupService implements OnApplicationBootstrap {
  constructor(
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.repeat('access_request_cleanup', '41 3 * * *', () => this.remove());
  }

  async remove(): Promise<void> {
    const time = this.clock.in(-KEEP_SECONDS);
    await deleteInBatches(this.database, AccessRequest, { where: 'created_at < $1', time });
  }
}
