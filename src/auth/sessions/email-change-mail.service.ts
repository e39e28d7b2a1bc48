import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Clock } from '../../core/clock.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { UsersService } from '../../users/users.service.js';
import { emailChangedEmail } from './email-change-emails.js';

interface EmailChangeJob {
  id: string;
  user_id: string;
  /** The recipient: the former or the new address. */
  email: string;
  changed_at: string;
}

/** Emails about a changed address, one to the former and one to the new one. Neither contains the other address. */
@Injectable()
export class EmailChangeMailService implements OnApplicationBootstrap {
  constructor(
    private readonly users: UsersService,
    private readonly jobs: JobsService,
    private readonly mails: MailService,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.onStarted(() => this.jobs.work<EmailChangeJob>('email_changed_mail', (job) => this.send(job)));
  }

  async enqueue(tx: EntityManager, userId: string, ...addresses: string[]): Promise<void> {
    const changed_at = this.clock.now().toISOString();
    for (const email of addresses) {
      const job: EmailChangeJob = { id: uuidv7(), user_id: userId, email, changed_at };
      await this.jobs.send(tx, 'email_changed_mail', job);
    }
  }

  private async send({ id, user_id, email, changed_at }: EmailChangeJob): Promise<void> {
    const user = await this.users.find(user_id);
    if (user === null) return;
    await this.mails.sendOrDrop(
      { messageId: `email-changed-${id}`, to: email, preferences: user },
      (reader) => emailChangedEmail(reader, { name: user.name, changedAt: new Date(changed_at) }),
    );
  }
}
