import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { deleteInBatches } from '../../core/database/delete-batch.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { Session } from './session.entity.js';

/** Ended and expired sessions are kept this long, for investigations. */
const KEEP_SECONDS = 30 * 86_400;
/** The same of sessions of service accounts that expired: one for each token, all of them in the audit trail. */
const KEEP_CLIENT_SECONDS = 3600;

@Injectable()
export class SessionCleanupService implements OnApplicationBootstrap {
  constructor(
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.repeat('session_cleanup', '23 * * * *', () => this.remove());
  }

  async remove(): Promise<void> {
    await this.removeWhere('coalesce(ended_at, expires_at) < $1', KEEP_SECONDS);
    await this.removeWhere(`method = 'client' AND ended_at IS NULL AND expires_at < $1`, KEEP_CLIENT_SECONDS);
  }

  private async removeWhere(where: string, keptSeconds: number): Promise<void> {
    await deleteInBatches(this.database, Session, { where, time: this.clock.in(-keptSeconds) });
  }
}
