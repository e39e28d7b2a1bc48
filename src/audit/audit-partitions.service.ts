import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '../core/config/config.js';
import { Database } from '../core/database/database.service.js';
import { tendPartitions } from '../core/database/partitions.js';
import { Jobs } from '../jobs/jobs.service.js';

/** Months of the trail: made ahead, so that writing never waits for one, and dropped whole when they are old. */
@Injectable()
export class AuditPartitions implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.onStarted(() => this.start());
  }

  /** Tends them soon after every start, and every day from then on. */
  private async start(): Promise<void> {
    await this.jobs.work('audit_upkeep', () => this.tend());
    await this.jobs.schedule('audit_upkeep', '23 3 * * *');
    await this.database.transaction((tx) => this.jobs.send(tx, 'audit_upkeep', {}));
  }

  tend(): Promise<void> {
    return tendPartitions(this.database, 'audit', this.config.audit.retentionDays);
  }
}
