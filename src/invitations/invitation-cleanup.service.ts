import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import { deleteInBatches } from '../core/database/delete-batch.js';
import { JobsService } from '../platform/jobs/jobs.service.js';
import { Invitation } from './invitation.entity.js';

/** An invitation that was not accepted is deleted this long after it expired or was revoked: its address may belong to no account. */
const KEEP_SECONDS = 90 * 86_400;

@Injectable()
export class InvitationCleanupService implements OnApplicationBootstrap {
  constructor(
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.repeat('invitation_cleanup', '47 3 * * *', () => this.remove());
  }

  async remove(): Promise<void> {
    const where = 'accepted_at IS NULL AND coalesce(revoked_at, expires_at) < $1';
    await deleteInBatches(this.database, Invitation, { where, time: this.clock.in(-KEEP_SECONDS) });
  }
}
