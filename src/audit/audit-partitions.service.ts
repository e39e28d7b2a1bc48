import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.service.js';
import { Jobs } from '../database/jobs.service.js';

const MONTHS_AHEAD = 2;

/** Months of the trail: made ahead, so that writing never waits for one, and dropped whole when they are old. */
@Injectable()
export class AuditPartitions {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly config: Config,
  ) {}

  /** Tends them soon after every start, and every day from then on. */
  async start(): Promise<void> {
    await this.jobs.work('audit_upkeep', () => this.tend());
    await this.jobs.schedule('audit_upkeep', '23 3 * * *');
    await this.database.transaction((tx) => this.jobs.send(tx, 'audit_upkeep', {}));
  }

  async tend(): Promise<void> {
    // Each in a transaction of its own: a month that cannot be dropped keeps no month from being made.
    await this.call('SELECT audit_prepare_partitions($1)', MONTHS_AHEAD);
    await this.call('SELECT audit_drop_partitions($1)', this.config.audit.retentionDays);
  }

  private async call(sql: string, value: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      await Database.patiently(tx);
      await tx.query(sql, [value]);
    });
  }
}
