import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { Config } from '../core/config/config.js';
import { DatabaseService } from '../core/database/database.service.js';
import { deleteInBatches } from '../core/database/delete-batch.js';
import { maintainPartitions } from '../core/database/partitions.js';
import { JobsService } from '../platform/jobs/jobs.service.js';
import { IssuedEmbedToken } from './issued-token.entity.js';

const CHUNK = 5000;
const DAY_SECONDS = 86_400;

/**
 * A token of a few minutes is kept as long as one of an hour: `openDays` counts the tokens of a day again for an hour longer than the
 * retention period.
 */
const OLD = `expires_at < $1 AND issued_at < $1::timestamptz - interval '1 hour'`;

/**
 * Creates the monthly partitions of issued tokens ahead of time, and removes tokens that expired before the retention
 * period.
 */
@Injectable()
export class IssuedTokenCleanupService implements OnApplicationBootstrap {
  constructor(
    private readonly config: Config,
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.repeat('issued_token_cleanup', '23 2 * * *', () => this.maintain(), { atStart: true });
  }

  async maintain(): Promise<void> {
    await maintainPartitions(this.database, 'issued_tokens', this.config.embed.grantDays);
    await this.removeOld();
  }

  /** Deletes from partitions that cannot be dropped yet. */
  async removeOld(): Promise<void> {
    const time = this.clock.in(-this.config.embed.grantDays * DAY_SECONDS);
    await deleteInBatches(this.database, IssuedEmbedToken, { where: OLD, time, limit: CHUNK });
  }
}
