import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { Config } from '../core/config/config.js';
import { DatabaseService } from '../core/database/database.service.js';
import { maintainPartitions } from '../core/database/partitions.js';
import { JobsService } from '../platform/jobs/jobs.service.js';

const CHUNK = 5000;
const DAY_SECONDS = 86_400;

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
    this.jobs.repeat('embed_grant_upkeep', '23 2 * * *', () => this.maintain(), { atStart: true });
  }

  async maintain(): Promise<void> {
    await maintainPartitions(this.database, 'issued_tokens', this.config.embed.grantDays);
    await this.removeOld();
  }

  /**
   * Deletes from partitions that cannot be dropped yet. One transaction for each chunk, so that no lock is held for
   * long.
   */
  async removeOld(): Promise<void> {
    const before = this.clock.in(-this.config.embed.grantDays * DAY_SECONDS);
    let removed: number;
    do {
      removed = await this.database.transaction(async (tx) => {
        const [, count] = await tx.query<[unknown, number]>(
          `DELETE FROM issued_tokens WHERE id IN (
             SELECT id FROM issued_tokens WHERE expires_at < $1 LIMIT ${CHUNK})`,
          [before],
        );
        return count;
      });
    } while (removed === CHUNK);
  }
}
