import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { findRecipient, type Recipient } from '../../users/users.queries.js';
import { AccessPolicyService } from '../grants/access-policy.service.js';
import { requestEmail, resultEmail } from './access-request-emails.js';
import { type DecidableRequest, findDeciders, findForMail } from './access-requests.queries.js';

/** Mails for one request. */
const MAX_RECIPIENTS = 20;

/** Without recipients it creates a job for each of them, so that a retry reaches only those without a mail. */
interface MailJob {
  request_id: string;
  recipient_id?: string;
}

/** Mails access requests to those who decide them, and the decision to the requester. */
@Injectable()
export class AccessRequestMailService implements OnApplicationBootstrap {
  constructor(
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
    private readonly mails: MailService,
    private readonly policy: AccessPolicyService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.onStarted(() => this.jobs.work<MailJob>('access_request_mail', (job) => this.deliver(job)));
  }

  async enqueue(tx: EntityManager, job: MailJob): Promise<void> {
    if (!this.mails.configured) return;
    await this.jobs.send(tx, 'access_request_mail', job);
  }

  private async deliver({ request_id, recipient_id }: MailJob): Promise<void> {
    const request = await findForMail(this.database.manager, request_id);
    if (request === undefined) return;
    await (recipient_id === undefined ? this.fanOut(request) : this.send(request, recipient_id));
  }

  private async fanOut({ id, status, workspaceId }: DecidableRequest): Promise<void> {
    if (status !== 'pending') return;
    const now = this.clock.now();
    await this.database.transaction(async (tx) => {
      for (const recipient of await findDeciders(tx, workspaceId, now, MAX_RECIPIENTS)) {
        const job: MailJob = { request_id: id, recipient_id: recipient };
        await this.jobs.send(tx, 'access_request_mail', job);
      }
    });
  }

  /** Nothing about a request that was decided meanwhile, except its result to the requester. */
  private async send(request: DecidableRequest, recipientId: string): Promise<void> {
    const isResult = recipientId === request.requesterId;
    if (isResult === (request.status === 'pending')) return;
    const recipient = await findRecipient(this.database.manager, recipientId);
    if (recipient === null || !(await this.isConcerned(request, recipient))) return;
    const compose = isResult ? resultEmail : requestEmail;
    await this.mails.sendOrDrop(
      {
        messageId: `access-request-${request.id}-${recipientId}`,
        to: recipient.email,
        preferences: recipient,
      },
      (reader) => compose(reader, { request, name: recipient.name }),
    );
  }

  /** A mail that is retried for hours must not reach a former manager, or announce access that was removed again. */
  private async isConcerned(
    { status, requesterId, workspaceId, reportId }: DecidableRequest,
    recipient: Recipient,
  ): Promise<boolean> {
    if (status === 'declined' || recipient.role === 'admin') return true;
    return recipient.id === requesterId
      ? this.policy.canSee(recipient.id, { workspaceId, reportId: reportId ?? undefined })
      : this.policy.canManage(recipient, [workspaceId]);
  }
}
