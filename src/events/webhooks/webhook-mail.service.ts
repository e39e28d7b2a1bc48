import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DatabaseService } from '../../core/database/database.service.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { findRecipient, listAdminIds } from '../../users/users.queries.js';
import { disabledEmail } from './webhook-emails.js';
import { type DisabledReason, Webhook } from './webhook.entity.js';

/** Mails for one webhook. */
const MAX_RECIPIENTS = 20;

/** Without a recipient it creates a job for each of them, so that a retry reaches only those without a mail. */
interface MailJob {
  webhook_id: string;
  /** Why and where it failed, as the webhook may change until the mail is sent. */
  reason: DisabledReason;
  host: string;
  since: string;
  /** Part of the message id: a webhook may be disabled repeatedly. */
  occasion: string;
  recipient_id?: string;
}

/** Tells the admins that a webhook was disabled because its receiver fails. */
@Injectable()
export class WebhookMailService implements OnApplicationBootstrap {
  constructor(
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
    private readonly mails: MailService,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.onStarted(() => this.jobs.work<MailJob>('webhook_mail', (job) => this.deliver(job)));
  }

  async enqueue(tx: EntityManager, job: MailJob): Promise<void> {
    if (!this.mails.configured) return;
    await this.jobs.send(tx, 'webhook_mail', job);
  }

  private async deliver(job: MailJob): Promise<void> {
    const webhook = await this.database.manager.findOneBy(Webhook, { id: job.webhook_id });
    if (webhook === null || webhook.disabledReason !== job.reason) return;
    await (job.recipient_id === undefined ? this.fanOut(job) : this.send(job, job.recipient_id));
  }

  private async fanOut(job: MailJob): Promise<void> {
    await this.database.transaction(async (tx) => {
      for (const recipient of await listAdminIds(tx, MAX_RECIPIENTS)) {
        await this.jobs.send(tx, 'webhook_mail', { ...job, recipient_id: recipient } satisfies MailJob);
      }
    });
  }

  private async send(job: MailJob, recipientId: string): Promise<void> {
    const recipient = await findRecipient(this.database.manager, recipientId);
    if (recipient?.role !== 'admin') return;
    await this.mails.sendOrDrop(
      { messageId: `webhook-${job.occasion}-${recipientId}`, to: recipient.email, preferences: recipient },
      (reader) => disabledEmail(reader, { ...job, since: new Date(job.since), name: recipient.name }),
    );
  }
}
