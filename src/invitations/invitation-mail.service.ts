import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { nthLatestEvent } from '../audit/audit.queries.js';
import { Clock } from '../core/clock.js';
import { LinkSecrets } from '../core/crypto/link-secrets.js';
import type { Principal } from '../core/http/principal.js';
import { Config } from '../core/config/config.js';
import { JobsService } from '../jobs/jobs.service.js';
import { renderEmail, type EmailContent } from '../mail/email-template.js';
import { isPermanentFailure, MailerService } from '../mail/mailer.service.js';
import { isActive } from '../users/users.queries.js';
import { type Delivery, Invitation } from './invitation.entity.js';
import { accessEmail, disabledEmail, linkEmail } from './invitation-emails.js';
import { TooManyMails } from './invitations.errors.js';

const HOUR = 3600;

interface MailJob {
  invitation_id: string;
  /** Identifies the link. A job whose link was replaced sends nothing: the newer link has its own job. */
  secret_hash: string;
}

/** Creates invitation links and sends them by email. */
@Injectable()
export class InvitationMailService implements OnApplicationBootstrap {
  constructor(
    @InjectRepository(Invitation) private readonly invitations: Repository<Invitation>,
    private readonly secrets: LinkSecrets,
    private readonly jobs: JobsService,
    private readonly mailer: MailerService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.onStarted(() =>
      this.jobs.work<MailJob>('invitation_mail', (job, attempt) => this.deliver(job, attempt.isLast)),
    );
  }

  get firstDelivery(): Delivery {
    return this.mailer.configured ? 'queued' : 'not_configured';
  }

  newLink(): { link: string; secretSalt: Buffer; secretHash: Buffer } {
    const { salt, hash, secret } = this.secrets.create();
    return { link: this.linkOf(secret), secretSalt: salt, secretHash: hash };
  }

  /** The link, for an admin to pass on when no mail server is configured; undefined in all other cases. */
  shareableLink(caller: Principal, link: string): string | undefined {
    return this.mailer.configured || caller.role !== 'admin' ? undefined : link;
  }

  /** Throws TooManyMails when the caller has reached the hourly limit. */
  async enqueue(tx: EntityManager, by: Principal, { id, secretHash }: Invitation): Promise<void> {
    if (!this.mailer.configured) return;
    await this.requireShare(tx, by.id);
    const job: MailJob = { invitation_id: id, secret_hash: secretHash.toString('hex') };
    await this.jobs.send(tx, 'invitation_mail', job);
  }

  /**
   * Counts the inviter's mails of the last hour in the audit trail. The lock serializes concurrent requests, so that
   * together they cannot exceed the limit.
   */
  private async requireShare(tx: EntityManager, inviterId: string): Promise<void> {
    const { invitationMailsPerHour: share } = this.config.limits;
    if (share === 0) return;
    await tx.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`mails:${inviterId}`]);
    const oldest = await nthLatestEvent(tx, {
      actorId: inviterId,
      actions: ['invitation_created', 'invitation_resent'],
      since: this.clock.in(-HOUR),
      n: share,
    });
    if (oldest === undefined) return;
    throw new TooManyMails(HOUR - Math.floor((this.clock.now().getTime() - oldest.getTime()) / 1000));
  }

  private async deliver(job: MailJob, isLast: boolean): Promise<void> {
    const invitation = await this.invitations
      .createQueryBuilder('invitation')
      .addSelect(['invitation.secretSalt', 'invitation.secretHash'])
      .where('invitation.id = :id AND invitation.revokedAt IS NULL', { id: job.invitation_id })
      .getOne();
    if (invitation?.secretHash.toString('hex') !== job.secret_hash) return;
    try {
      await this.mailer.send(await this.compose(invitation));
      await this.invitations.update({ id: invitation.id }, { delivery: 'sent', deliveryError: null });
    } catch (error) {
      const isFinal = isLast || isPermanentFailure(error);
      const deliveryError = (error as Error).message.slice(0, 500);
      const { id } = invitation;
      await this.invitations.update({ id }, { deliveryError, ...(isFinal && { delivery: 'failed' }) });
      if (isPermanentFailure(error)) return;
      throw error;
    }
  }

  private async compose(invitation: Invitation) {
    const messageId = `invitation-${invitation.id}-${invitation.secretHash.toString('hex').slice(0, 16)}`;
    return { messageId, to: invitation.email, ...renderEmail(await this.emailFor(invitation)) };
  }

  /**
   * An invitation for an existing account has no link. Only the email differs, so that the inviter cannot detect the
   * account.
   */
  private async emailFor({ name, userId, secretSalt, secretHash }: Invitation): Promise<EmailContent> {
    const { publicUrl } = this.config.http;
    if (userId !== null) {
      return (await isActive(this.invitations.manager, userId))
        ? accessEmail(name, publicUrl)
        : disabledEmail(name, publicUrl);
    }
    const secret = this.secrets.restore({ salt: secretSalt, hash: secretHash });
    if (secret === undefined)
      throw new Error('The server key of this link is no longer configured: resend the invitation');
    return linkEmail(name, this.linkOf(secret));
  }

  /** The secret is in the fragment (`#`), which reaches neither server logs nor the `Referer` header. */
  private linkOf(secret: string): string {
    return `${this.config.http.publicUrl}/invitation#token=${secret}`;
  }
}
