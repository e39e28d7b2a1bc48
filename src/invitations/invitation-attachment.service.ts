import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../platform/audit/audit.service.js';
import { Clock } from '../core/clock.js';
import { hashOfSecret } from '../core/crypto/link-secrets.js';
import type { User } from '../users/user.entity.js';
import { lockUsers } from '../users/users.queries.js';
import { UsersService } from '../users/users.service.js';
import { InvitationAcceptanceService } from './invitation-acceptance.service.js';
import { MAIL_INTERVAL_SECONDS } from './invitation-issuance.service.js';
import { InvitationMailService } from './invitation-mail.service.js';
import { Invitation } from './invitation.entity.js';
import { ResendTooSoon } from './invitations.errors.js';
import { lockAddress, lockInvitation } from './invitations.queries.js';

interface Acceptance {
  name?: string;
  /** The account of the identity, if it has one. */
  userId?: string;
}

/** Acceptance of an invitation by a sign-in through the identity provider. */
@Injectable()
export class InvitationAttachmentService {
  constructor(
    private readonly acceptance: InvitationAcceptanceService,
    private readonly users: UsersService,
    private readonly mail: InvitationMailService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the account that has the invitation. An account with another address gets it when its owner opens the link in
   * an email that is sent to the invited address for this: null, when that email is sent. Throws as
   * `InvitationAcceptanceService.accept` does, and ResendTooSoon.
   */
  async accept(tx: EntityManager, secret: string, { name, userId }: Acceptance): Promise<User | null> {
    const attached = userId === undefined ? 'not_attachable' : await this.attach(tx, secret, userId);
    if (attached === 'mailed') return null;
    if (attached === 'attached') return this.users.get(userId as string, tx);
    return this.acceptance.accept(tx, secret, { passwordHash: null, name });
  }

  /** The sign-in that follows accepts an attached invitation, as any other one of an existing account. */
  private async attach(
    tx: EntityManager,
    secret: string,
    userId: string,
  ): Promise<'attached' | 'mailed' | 'not_attachable'> {
    const invitation = await this.lock(tx, secret, userId);
    if (invitation.userId === userId) return 'attached';
    const isHeld = (await this.users.findByEmail(invitation.email, tx)) !== null;
    // The role of an admin belongs to an account from the beginning, or another admin gives it.
    if (isHeld || invitation.userId !== null || invitation.role === 'admin') return 'not_attachable';
    const { id } = invitation;
    if (invitation.attachUserId === userId) {
      await tx.update(Invitation, { id }, { userId });
      return 'attached';
    }
    if (!this.mail.isConfigured) return 'not_attachable';
    await this.ask(tx, invitation, userId);
    return 'mailed';
  }

  /** The new link proves that the person who asked also reads the mail of the invited address. */
  private async ask(tx: EntityManager, { id, mailedAt }: Invitation, userId: string): Promise<void> {
    const wait = MAIL_INTERVAL_SECONDS - (this.clock.now().getTime() - mailedAt.getTime()) / 1000;
    if (wait > 0) throw new ResendTooSoon(Math.ceil(wait));
    const { link: _, ...secret } = this.mail.newLink();
    const changes = {
      ...secret,
      attachUserId: userId,
      delivery: this.mail.firstDelivery,
      deliveryError: null,
      mailedAt: this.clock.now(),
    };
    await tx.update(Invitation, { id }, changes);
    await this.mail.enqueueAttachment(tx, { id, secretHash: secret.secretHash });
    const target = { type: 'invitation', id } as const;
    await this.audit.record(tx, { action: 'invitation_resent', actorId: userId, target });
  }

  /** In the order of docs/decisions/lock-order.md. */
  private async lock(tx: EntityManager, secret: string, userId: string): Promise<Invitation> {
    const { email } = await this.acceptance.check(secret, tx);
    await lockAddress(tx, email);
    await lockUsers(tx, [userId], 'KEY SHARE');
    await lockInvitation(tx, { secretHash: hashOfSecret(secret) });
    return this.acceptance.check(secret, tx);
  }
}
