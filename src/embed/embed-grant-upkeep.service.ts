import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.service.js';
import { Jobs } from '../database/jobs.service.js';

const CHUNK = 5000;
const DAY_SECONDS = 86_400;

/** Removes grants whose tokens ended long ago, every night. */
@Injectable()
export class EmbedGrantUpkeep {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  async start(): Promise<void> {
    await this.jobs.work('embed_grant_upkeep', () => this.removeOld());
    await this.jobs.schedule('embed_grant_upkeep', '23 2 * * *');
  }

  /** In steps of one transaction each, so that no lock is held for long. */
  async removeOld(): Promise<void> {
    const before = this.clock.in(-this.config.embed.grantDays * DAY_SECONDS);
    let removed: number;
    do {
      removed = await this.database.transaction(async (tx) => {
        const [, count] = await tx.query<[unknown, number]>(
          `DELETE FROM embed_grants WHERE id IN (
             SELECT id FROM embed_grants WHERE expires_at < $1 LIMIT ${CHUNK})`,
          [before],
        );
        return count;
      });
    } while (removed === CHUNK);
  }
}
