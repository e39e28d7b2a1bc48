import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DatabaseService } from '../../core/database/database.service.js';
import { maintainPartitions } from '../../core/database/partitions.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';

const KEPT_DAYS = 30;

/** Creates the monthly partitions of events ahead of time, and drops a month 30 days after its end. */
@Injectable()
export class EventRetentionService implements OnApplicationBootstrap {
  constructor(
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.repeat('event_cleanup', '53 2 * * *', () => this.maintain(), { atStart: true });
  }

  maintain(): Promise<void> {
    return maintainPartitions(this.database, 'events', KEPT_DAYS);
  }
}
