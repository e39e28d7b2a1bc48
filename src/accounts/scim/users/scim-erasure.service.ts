import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { UserErasureService } from '../../user-erasure.service.js';
import { Clock } from '../../../core/clock.js';
import { Config } from '../../../core/config/config.js';
import { DatabaseService } from '../../../core/database/database.service.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { findScimDeleted } from '../../../users/scim-users.queries.js';
import { UserNotDisabled, UserNotFound } from '../../../users/users.errors.js';

const DAY = 86_400;
const BATCH = 100;

/** Erases people whom SCIM deleted, `SCIM_ERASE_AFTER_DAYS` later. */
@Injectable()
export class ScimErasureService implements OnApplicationBootstrap {
  private readonly logger = new Logger(ScimErasureService.name);

  constructor(
    private readonly database: DatabaseService,
    private readonly erasure: UserErasureService,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.repeat('scim_cleanup', '11 4 * * *', () => this.erase());
  }

  async erase(): Promise<void> {
    const { eraseAfterDays } = this.config.scim;
    if (eraseAfterDays === 0) return;
    const before = this.clock.in(-eraseAfterDays * DAY);
    const failed: string[] = [];
    for (;;) {
      const ids = await findScimDeleted(this.database.manager, before, { except: failed, atMost: BATCH });
      if (ids.length === 0) return;
      for (const id of ids) if (!(await this.eraseOne(id, before))) failed.push(id);
    }
  }

  /** Returns false if it fails: the next run tries again. The person may have been activated, created again or erased meanwhile. */
  private async eraseOne(id: string, before: Date): Promise<boolean> {
    try {
      await this.erasure.erase({ id: null }, id, before);
    } catch (error) {
      if (error instanceof UserNotDisabled || error instanceof UserNotFound) return true;
      this.logger.error({ msg: 'a person whom SCIM deleted could not be erased', user: id, err: error });
      return false;
    }
    return true;
  }
}
