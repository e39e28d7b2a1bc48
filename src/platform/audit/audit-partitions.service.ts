import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '../../core/config/config.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { maintainPartitions } from '../../core/database/partitions.js';
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
    this.jobs.repeat('audit_cleanup', '23 3 * * *', () => this.maintain(), { atStart: true });
  }

  maintain(): Promise<void> {
    return maintainPartitions(this.database, 'audit', this.config.audit.retentionDays);
  }
}
