import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Clock } from '../core/clock.js';
import { Config } from '../core/config/config.js';
import { LinkSecrets } from '../core/crypto/link-secrets.js';
import { findGroups } from '../access/groups/groups.queries.js';
import type { EmailContent } from '../platform/mail/email-template.js';
import type { MailReader } from '../platform/mail/mail-reader.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { InvitationDescriptionService } from './invitation-description.service.js';
import {
  accessEmail,
  attachmentEmail,
  disabledEmail,
  type InvitationMail,
  linkEmail,
} from './invitation-emails.js';
import { Invitation } from './invitation.entity.js';
import { lastingAccessOf } from './pending-access.queries.js';

interface Composer {
  /** Of the recipient, if there is one. */
  account: User | null;
  compose: (reader: MailReader) => EmailContent;
}

/** Composes the mail of an invitation, with its link. */
@Injectable()
export class InvitationEmailService {
  constructor(
    @InjectRepository(Invitation) private readonly invitations: Repository<Invitation>,
    private readonly secrets: LinkSecrets,
    private readonly users: UsersService,
    private readonly descriptions: InvitationDescriptionService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  newLink(): { link: string; secretSalt: Buffer; secretHash: Buffer } {
    const { salt, hash, secret } = this.secrets.create();
    return { link: this.linkOf(secret), secretSalt: salt, secretHash: hash };
  }

  /**
   * An invitation for an existing account has no link. Only the email differs, so that the inviter cannot detect the
   * account.
   */
  async composerOf(
    invitation: Invitation,
    { message = null, attaches = false }: { message?: string | null; attaches?: boolean },
  ): Promise<Composer> {
    const mail = { ...(await this.describe(invitation)), message };
    const account = invitation.userId === null ? null : await this.users.find(invitation.userId);
    if (invitation.userId !== null) {
      const email = account?.status === 'active' ? accessEmail : disabledEmail;
      return { account, compose: (reader) => email(reader, mail) };
    }
    const { secretSalt, secretHash } = invitation;
    const secret = this.secrets.restore({ salt: secretSalt, hash: secretHash });
    if (secret === undefined)
      throw new Error('The server key of this link is no longer configured: resend the invitation');
    const email = attaches ? attachmentEmail : linkEmail;
    return { account, compose: (reader) => email(reader, mail, this.linkOf(secret)) };
  }

  private async describe(invitation: Invitation): Promise<Omit<InvitationMail, 'message'>> {
    const { manager } = this.invitations;
    const { grants, groups } = await lastingAccessOf(manager, invitation.id, this.clock.now());
    const joined = await findGroups(
      manager,
      groups.map(({ group }) => group),
    );
    return {
      ...(await this.descriptions.describe(invitation.invitedBy, grants)),
      name: invitation.name,
      role: invitation.role,
      groups: joined.map((group) => group.name),
      expiresAt: invitation.expiresAt,
    };
  }

  /** The secret is in the fragment (`#`), which reaches neither server logs nor the `Referer` header. */
  private linkOf(secret: string): string {
    return `${this.config.http.publicUrl}/invitation#token=${secret}`;
  }
}
