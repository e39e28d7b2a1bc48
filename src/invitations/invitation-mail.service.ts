import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { nthLatestEvent } from '../platform/audit/audit.queries.js';
import { Clock } from '../core/clock.js';
import { lockName } from '../core/database/locks.js';
import type { Principal } from '../core/http/principal.js';
import { Config } from '../core/config/config.js';
import { JobsService } from '../platform/jobs/jobs.service.js';
import { isPermanentFailure, MailService } from '../platform/mail/mail.service.js';
import { type Delivery, Invitation } from './invitation.entity.js';
import { InvitationEmailService } from './invitation-email.service.js';
import { TooManyMails } from './invitations.errors.js';

const HOUR = 3600;
const DAY = 24 * HOUR;
/** Invitations that are searched for the last delivery: resent ones are older than others. */
const NEWEST = 50;

interface MailJob {
  invitation_id: string;
  /** Identifies the link. A job whose link was replaced sends nothing: the newer link has its own job. */
  secret_hash: string;
  /** Stored here only. */
  message?: string;
  /** Whether the owner of an account with another address asked for the link. */
  attaches?: boolean;
}

/** Creates invitation links and sends them by email. */
@Injectable()
export class InvitationMailService implements OnApplicationBootstrap {
  constructor(
    @InjectRepository(Invitation) private readonly invitations: Repository<Invitation>,
    private readonly emails: InvitationEmailService,
    private readonly jobs: JobsService,
    private readonly mails: MailService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.jobs.onStarted(() =>
      this.jobs.work<MailJob>('invitation_mail', (job, attempt) => this.deliver(job, attempt.isLast)),
    );
  }

  get isConfigured(): boolean {
    return this.mails.configured;
  }

  get firstDelivery(): Delivery {
    return this.mails.configured ? 'queued' : 'not_configured';
  }

  /** The latest delivery among the newest invitations; null before the first invitation. */
  async findLastDelivery(): Promise<Pick<Invitation, 'delivery' | 'deliveryError'> | null> {
    const newest = await this.invitations.find({ order: { id: 'DESC' }, take: NEWEST });
    return newest.toSorted((a, b) => b.mailedAt.getTime() - a.mailedAt.getTime())[0] ?? null;
  }

  newLink(): { link: string; secretSalt: Buffer; secretHash: Buffer } {
    return this.emails.newLink();
  }

  /** The link, for an admin to pass on when no mail server is configured; undefined in all other cases. */
  shareableLink(caller: Principal, link: string): string | undefined {
    return this.mails.configured || caller.role !== 'admin' ? undefined : link;
  }

  /** Whether a new link reaches its user: by email, or from an admin. Otherwise the previous link must stay valid. */
  canReplaceLink(caller: Principal): boolean {
    return this.mails.configured || caller.role === 'admin';
  }

  /** Throws TooManyMails when the caller has reached the limit of an hour, or for bulk invitations of a day. */
  async enqueue(
    tx: EntityManager,
    by: Principal,
    { id, secretHash }: Invitation,
    { message, isBulk = false }: { message?: string; isBulk?: boolean } = {},
  ): Promise<void> {
    if (!this.mails.configured) return;
    await this.requireShare(tx, by.id, isBulk);
    const job: MailJob = { invitation_id: id, secret_hash: secretHash.toString('hex'), message };
    await this.jobs.send(tx, 'invitation_mail', job);
  }

  /** For the owner of an account with another address. Callers limit the number of emails. */
  async enqueueAttachment(
    tx: EntityManager,
    { id, secretHash }: Pick<Invitation, 'id' | 'secretHash'>,
  ): Promise<void> {
    const job: MailJob = { invitation_id: id, secret_hash: secretHash.toString('hex'), attaches: true };
    await this.jobs.send(tx, 'invitation_mail', job);
  }

  /**
   * Counts the inviter's mails of the last hour, or of the last day those of bulk invitations, in the audit trail. The lock serializes concurrent requests, so that
   * together they cannot exceed the limit.
   */
  private async requireShare(tx: EntityManager, inviterId: string, isBulk: boolean): Promise<void> {
    const { invitationMailsPerHour, bulkInvitationsPerDay } = this.config.limits;
    const share = isBulk ? bulkInvitationsPerDay : invitationMailsPerHour;
    const seconds = isBulk ? DAY : HOUR;
    if (share === 0) return;
    await lockName(tx, `mails:${inviterId}`);
    const oldest = await nthLatestEvent(tx, {
      actorId: inviterId,
      actions: ['invitation_created', 'invitation_resent'],
      since: this.clock.in(-seconds),
      n: share,
      isBulk,
    });
    if (oldest === undefined) return;
    throw new TooManyMails(seconds - Math.floor((this.clock.now().getTime() - oldest.getTime()) / 1000));
  }

  private async deliver(job: MailJob, isLast: boolean): Promise<void> {
    const invitation = await this.invitations
      .createQueryBuilder('invitation')
      .addSelect(['invitation.secretSalt', 'invitation.secretHash'])
      .where('invitation.id = :id AND invitation.revokedAt IS NULL', { id: job.invitation_id })
      .getOne();
    if (invitation?.secretHash.toString('hex') !== job.secret_hash) return;
    // Not of an invitation that was erased, or whose link was replaced, meanwhile.
    const { id, email, secretHash } = invitation;
    const current = { id, email, secretHash };
    try {
      const delivery = await this.send(invitation, job);
      await this.invitations.update(current, { delivery, deliveryError: null });
    } catch (error) {
      const isFinal = isLast || isPermanentFailure(error);
      const deliveryError = (error as Error).message.slice(0, 500);
      await this.invitations.update(current, { deliveryError, ...(isFinal && { delivery: 'failed' }) });
      if (isPermanentFailure(error)) return;
      throw error;
    }
  }

  /** Jobs outlast a start without a mail server. */
  private async send(invitation: Invitation, job: MailJob): Promise<Delivery> {
    if (!this.mails.configured) return 'not_configured';
    const messageId = `invitation-${invitation.id}-${invitation.secretHash.toString('hex').slice(0, 16)}`;
    const { account, compose } = await this.emails.composerOf(invitation, job);
    await this.mails.send({ messageId, to: invitation.email, preferences: account }, compose);
    return 'sent';
  }
}
