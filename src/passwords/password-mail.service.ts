import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Clock } from '../core/clock.js';
import { Config } from '../core/config/config.js';
import { JobsService } from '../jobs/jobs.service.js';
import { renderEmail } from '../mail/email-template.js';
import { MailerService } from '../mail/mailer.service.js';
import { canonicalEmail } from '../core/validation/email-address.js';
import { UsersService } from '../users/users.service.js';
import { ResetLinksService } from '../users/reset-links.service.js';

interface ResetJob {
  request_id: string;
  email: string;
  requested_at: string;
}

interface ChangedJob {
  id: string;
  user_id: string;
}

/** Password emails. The job, not the request, looks up the account, so response times do not reveal whether it exists. */
@Injectable()
export class PasswordMailService implements OnApplicationBootstrap {
  constructor(
    private readonly links: ResetLinksService,
    private readonly users: UsersService,
    private readonly jobs: JobsService,
    private readonly mailer: MailerService,
    private readonly clock: Clock,
    private readonly config: Config,
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
    const job: ChangedJob = { id: uuidv7(), user_id: userId };
    await this.jobs.send(tx, 'password_changed_mail', job);
  }

  /** Starts the workers of the email queues. */
  private async start(): Promise<void> {
    await this.jobs.work<ResetJob>('password_reset_mail', (job) => this.sendReset(job));
    await this.jobs.work<ChangedJob>('password_changed_mail', (job) => this.sendChanged(job));
  }

  private async sendReset({ request_id, email, requested_at }: ResetJob): Promise<void> {
    if (!this.mailer.configured) return;
    const secret = await this.links.secretFor(email, { id: request_id, at: new Date(requested_at) });
    if (secret === null) return;
    const letter = {
      subject: 'Reset your password',
      paragraphs: ['Hello,', 'A password reset was requested for your account.'],
      action: 'Reset password',
      // The secret is in the URL fragment, which is never sent to a server, neither in a request nor as Referer.
      link: `${this.config.http.publicUrl}/password-reset#token=${secret}`,
      closing:
        'The link can be used once and expires in 30 minutes. If you did not request a password reset, you can ignore this email.',
    };
    await this.mailer.send({ messageId: `password-reset-${request_id}`, to: email, ...renderEmail(letter) });
  }

  private async sendChanged({ id, user_id }: ChangedJob): Promise<void> {
    const { email, name } = await this.users.get(user_id);
    const letter = {
      subject: 'Your password was changed',
      paragraphs: [`Hello ${name},`, 'The password for your account was changed.'],
      action: 'Reset password',
      link: `${this.config.http.publicUrl}/password-reset`,
      closing:
        'If you made this change, no action is required. If you did not, reset your password immediately.',
    };
    await this.mailer.send({ messageId: `password-changed-${id}`, to: email, ...renderEmail(letter) });
  }
}
