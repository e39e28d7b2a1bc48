import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '../core/config/config.js';
import { DatabaseService } from '../core/database/database.service.js';
import { maintainPartitions } from '../core/database/partitions.js';
import { JobsService } from '../jobs/jobs.service.js';

/** Months of the trail: made ahead, so that writing never waits for one, and dropped whole when they are old. */
@Injectable()
export class AuditPartitionsService implements OnApplicationBootstrap {
  constructor(
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.onStarted(() => this.start());
  }

  /** Tends them soon after every start, and every day from then on. */
  private async start(): Promise<void> {
    await this.jobs.work('audit_upkeep', () => this.maintain());
    await this.jobs.schedule('audit_upkeep', '23 3 * * *');
    await this.database.transaction((tx) => this.jobs.send(tx, 'audit_upkeep', {}));
  }

  maintain(): Promise<void> {
    return maintainPartitions(this.database, 'audit', this.config.audit.retentionDays);
  }
}
