import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { PasswordMail } from './auth/passwords/password-mail.service.js';
import { SessionUpkeep } from './auth/session-upkeep.service.js';
import { SyncSchedule } from './catalogue/sync-schedule.service.js';
import { SyncsService } from './catalogue/syncs.service.js';
import { AuditDenials } from './audit/audit-denials.service.js';
import { AuditPartitions } from './audit/audit-partitions.service.js';
import { Config } from './config/config.js';
import { Changes } from './database/changes.service.js';
import { Database } from './database/database.service.js';
import { DirectLine } from './database/direct-line.service.js';
import { Jobs } from './database/jobs.service.js';
import { EmbedGrantUpkeep } from './embed/embed-grant-upkeep.service.js';
import { HandOuts } from './embed/hand-outs.service.js';
import { Readiness } from './health/readiness.service.js';
import { IdempotencyKeys } from './idempotency/idempotency-keys.service.js';
import { InvitationMail } from './invitations/invitation-mail.service.js';
import { Metrics } from './metrics/metrics.service.js';
import { Traces } from './tracing/traces.service.js';
import { FirstAdmin } from './users/first-admin.service.js';

const LOOK_MS = 50;

/** What happens, in this order, between listening and being ready, and back again. */
@Injectable()
export class Startup {
  private stopping = false;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly line: DirectLine,
    private readonly changes: Changes,
    private readonly jobs: Jobs,
    private readonly firstAdmin: FirstAdmin,
    private readonly invitationMail: InvitationMail,
    private readonly passwordMail: PasswordMail,
    private readonly sessionUpkeep: SessionUpkeep,
    private readonly auditPartitions: AuditPartitions,
    private readonly denials: AuditDenials,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly embedGrants: EmbedGrantUpkeep,
    private readonly handOuts: HandOuts,
    private readonly schedule: SyncSchedule,
    private readonly syncs: SyncsService,
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
    private readonly traces: Traces,
  ) {}

  async run(): Promise<void> {
    await this.metrics.start();
    await this.database.start();
    await this.traces.start();
    if (this.stopping) return;
    this.line.start();
    await this.changes.start();
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
    await this.handOuts.flush();
    await this.changes.stop();
    await this.line.stop();
    await this.database.stop();
    await this.traces.stop();
    await this.metrics.stop();
  }

  private async firstSync(): Promise<void> {
    while (!this.stopping && !(await this.syncs.hasSucceeded())) await sleep(LOOK_MS);
  }
}
