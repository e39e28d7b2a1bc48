import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Clock } from '../../core/clock.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { canonicalEmail } from '../../core/validation/email-address.js';
import { UsersService } from '../../users/users.service.js';
import { changedEmail, resetEmail } from './password-emails.js';
import { ResetLinksService } from '../../users/reset-links.service.js';

interface ResetJob {
  request_id: string;
  email: string;
  requested_at: string;
}

interface ChangedJob {
  id: string;
  user_id: string;
  changed_at: string;
}

/** Password emails. The job, not the request, looks up the account, so response times do not reveal whether it exists. */
@Injectable()
export class PasswordMailService implements OnApplicationBootstrap {
  constructor(
    private readonly links: ResetLinksService,
    private readonly users: UsersService,
    private readonly jobs: JobsService,
    private readonly mails: MailService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.onStarted(() => this.start());
  }

  async enqueueReset(tx: EntityManager, email: string): Promise<void> {
    const job: ResetJob = {
      request_id: uuidv7(),
      email: canonicalEmail(email),
      requested_at: this.clock.now().toISOString(),
    };
    await this.jobs.send(tx, 'password_reset_mail', job);
  }

  async enqueueChanged(tx: EntityManager, userId: string): Promise<void> {
    const job: ChangedJob = {
      id: uuidv7(),
      user_id: userId,
      changed_at: this.clock.now().toISOString(),
    };
    await this.jobs.send(tx, 'password_changed_mail', job);
  }

  private async start(): Promise<void> {
    await this.jobs.work<ResetJob>('password_reset_mail', (job) => this.sendReset(job));
    await this.jobs.work<ChangedJob>('password_changed_mail', (job) => this.sendChanged(job));
  }

  private async sendReset({ request_id, email, requested_at }: ResetJob): Promise<void> {
    if (!this.mails.configured) return;
    const secret = await this.links.secretFor(email, { id: request_id, at: new Date(requested_at) });
    if (secret === null) return;
    const preferences = await this.users.findByEmail(email);
    await this.mails.sendOrDrop(
      { messageId: `password-reset-${request_id}`, to: email, preferences },
      (reader) => resetEmail(reader, secret),
    );
  }

  private async sendChanged({ id, user_id, changed_at }: ChangedJob): Promise<void> {
    const user = await this.users.find(user_id);
    if (user === null) return;
    await this.mails.sendOrDrop(
      { messageId: `password-changed-${id}`, to: user.email, preferences: user },
      (reader) => changedEmail(reader, { name: user.name, changedAt: new Date(changed_at) }),
    );
  }
}
