import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { PasswordMail } from './auth/passwords/password-mail.service.js';
import { SessionUpkeep } from './auth/session-upkeep.service.js';
import { SyncSchedule } from './catalogue/sync-schedule.service.js';
import { SyncsService } from './catalogue/syncs.service.js';
import { AuditDenials } from './audit/audit-denials.service.js';
import { AuditPartitions } from './audit/audit-partitions.service.js';
import { Config } from './config/config.js';
import { Database } from './database/database.service.js';
import { Jobs } from './database/jobs.service.js';
import { EmbedGrantUpkeep } from './embed/embed-grant-upkeep.service.js';
import { Readiness } from './health/readiness.service.js';
import { IdempotencyKeys } from './idempotency/idempotency-keys.service.js';
import { InvitationMail } from './invitations/invitation-mail.service.js';
import { FirstAdmin } from './users/first-admin.service.js';

const LOOK_MS = 50;

/** What happens, in this order, between listening and being ready, and back again. */
@Injectable()
export class Startup {
  private stopping = false;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly firstAdmin: FirstAdmin,
    private readonly invitationMail: InvitationMail,
    private readonly passwordMail: PasswordMail,
    private readonly sessionUpkeep: SessionUpkeep,
    private readonly auditPartitions: AuditPartitions,
    private readonly denials: AuditDenials,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly embedGrants: EmbedGrantUpkeep,
    private readonly schedule: SyncSchedule,
    private readonly syncs: SyncsService,
    private readonly readiness: Readiness,
  ) {}

  async run(): Promise<void> {
    await this.database.start();
    if (this.stopping) return;
    await this.jobs.start();
    await this.firstAdmin.ensure();
    await this.invitationMail.start();
    await this.passwordMail.start();
    await this.sessionUpkeep.start();
    await this.auditPartitions.start();
    await this.idempotencyKeys.start();
    await this.embedGrants.start();
    await this.schedule.start();
    if (this.config.sync.beforeReady) await this.firstSync();
    this.readiness.ready = !this.stopping;
  }

  /** No more requests, please; those that come all the same are served. */
  leave(): void {
    this.stopping = true;
    this.readiness.ready = false;
  }

  async stop(): Promise<void> {
    this.leave();
    this.schedule.stop();
    await this.jobs.stop();
    await this.denials.flush({ all: true });
    await this.database.stop();
  }

  private async firstSync(): Promise<void> {
    while (!this.stopping && !(await this.syncs.hasSucceeded())) await sleep(LOOK_MS);
  }
}
