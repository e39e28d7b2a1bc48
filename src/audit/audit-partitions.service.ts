import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '../core/config/config.js';
import { DatabaseService } from '../core/database/database.service.js';
import { maintainPartitions } from '../core/database/partitions.js';
import { JobsService } from '../jobs/jobs.service.js';

/**
 * Monthly partitions of the audit trail: created ahead of time, so that writes never wait for one, and dropped as a
 * whole after the retention period.
 */
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

  /** Runs the maintenance after every start, and then every day. */
  private async start(): Promise<void> {
    await this.jobs.work('audit_upkeep', () => this.maintain());
    await this.jobs.schedule('audit_upkeep', '23 3 * * *');
    await this.database.transaction((tx) => this.jobs.send(tx, 'audit_upkeep', {}));
  }

  maintain(): Promise<void> {
    return maintainPartitions(this.database, 'audit', this.config.audit.retentionDays);
  }
}
