import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { AuditService } from '../platform/audit/audit.service.js';
import { Clock } from '../core/clock.js';
import { hashOfSecret } from '../core/crypto/link-secrets.js';
import { Problem } from '../core/problems/problem.js';
import { findActiveGrants } from '../access/grants/stored-grants.queries.js';
import type { User } from '../users/user.entity.js';
import { lockActiveAdmins, lockUsers } from '../users/users.queries.js';
import { UsersService } from '../users/users.service.js';
import { statusOf } from './dto/invitation.dto.js';
import { InvitationAccessService } from './invitation-access.service.js';
import { Invitation } from './invitation.entity.js';
import { InvitationRightsService } from './invitation-rights.service.js';
import {
  InvalidInvitation,
  InvitationAccepted,
  InvitationExpired,
  InvitationRevoked,
} from './invitations.errors.js';
import { assignInvitations, lockAddress, whereOpenFor } from './invitations.queries.js';
import { type Access, withoutNewer } from './pending-access.queries.js';

interface NewAccount {
  passwordHash: string | null;
  name?: string;
}

interface Accepted {
  invitation: Invitation;
  access: Access;
}

const spent = { accepted: InvitationAccepted, expired: InvitationExpired, revoked: InvitationRevoked };

@Injectable()
export class InvitationAcceptanceService {
  constructor(
    @InjectRepository(Invitation) private readonly invitations: Repository<Invitation>,
    private readonly users: UsersService,
    private readonly access: InvitationAccessService,
    private readonly rights: InvitationRightsService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates or reactivates the account for an invitation; address, role, grants and groups come from the stored row. Of
   * concurrent calls one succeeds. Other pending invitations for the address are accepted too, because the secret
   * proves control of the mailbox. Throws InvalidInvitation for an unknown secret, and InvitationAccepted,
   * InvitationExpired or InvitationRevoked for one that is no longer pending.
   */
  async accept(tx: EntityManager, secret: string, account: NewAccount): Promise<User> {
    const { invitation, others } = await this.lockPending(tx, secret);
    const remaining = await this.rights.revalidate(tx, invitation);
    if (remaining === null) throw new InvitationRevoked();
    const accepted: Accepted[] = [];
    for (const other of others) {
      const access = await this.rights.revalidate(tx, other);
      if (access !== null) accepted.push({ invitation: other, access });
    }
    accepted.push({ invitation, access: remaining });
    const role = accepted.some((one) => one.invitation.role === 'admin') ? 'admin' : 'member';
    const user = await this.createOrReactivate(tx, { ...invitation, role }, remaining.byAdmin, account);
    const held = await findActiveGrants(tx, { type: 'user', id: user.id }, this.clock.now());
    const given = accepted.map((one) => withoutNewer(one.access, one.invitation.createdAt, held));
    await this.access.give(tx, user, user.id, merged(given));
    for (const one of accepted) await this.close(tx, one.invitation.id, user.id);
    // An expired one that is resent then reaches the account, by an email without a link.
    await assignInvitations(tx, user);
    return user;
  }

  /**
   * Validates the secret before costly work. Throws as `accept` does, which checks again because the state can change
   * in between.
   */
  async check(secret: string, tx = this.invitations.manager): Promise<Invitation> {
    return this.requirePending(await tx.findOneBy(Invitation, { secretHash: hashOfSecret(secret) }));
  }

  /**
   * An invitation from an admin reactivates a disabled account; an active account has accepted by other means. Throws
   * InvitationAccepted or InvitationRevoked.
   */
  private async createOrReactivate(
    tx: EntityManager,
    invitation: Invitation,
    isAdmins: boolean,
    { passwordHash, name }: NewAccount,
  ): Promise<User> {
    const known = await this.users.findByEmail(invitation.email, tx);
    if (known === null) {
      return this.users.create(tx, {
        email: invitation.email,
        name: name ?? invitation.name ?? (invitation.email.split('@')[0] as string),
        role: invitation.role,
        passwordHash,
      });
    }
    if (known.status === 'active') throw new InvitationAccepted();
    if (!isAdmins) throw new InvitationRevoked();
    await this.users.setPassword(tx, known.id, passwordHash);
    const { role } = invitation;
    // The role member locks all admins, also if it is not new.
    const changes = { ...(role !== known.role && { role }), ...(name !== undefined && { name }) };
    return this.users.update(tx, known, known.id, { status: 'active', ...changes });
  }

  private async close(tx: EntityManager, id: string, userId: string): Promise<void> {
    await tx.update(Invitation, { id }, { acceptedAt: this.clock.now(), userId });
    const target = { type: 'invitation', id } as const;
    await this.audit.record(tx, { action: 'invitation_accepted', actorId: userId, target });
  }

  /**
   * Locks the address, then its account and its invitations, in the order of docs/decisions/lock-order.md.
   */
  private async lockPending(
    tx: EntityManager,
    secret: string,
  ): Promise<{ invitation: Invitation; others: Invitation[] }> {
    const where = { secretHash: hashOfSecret(secret) };
    const { id, email } = this.requirePending(await tx.findOneBy(Invitation, where));
    await lockAddress(tx, email);
    await this.lockAccount(tx, email);
    const open = await whereOpenFor(tx, email);
    const invitation = this.requirePending(await tx.findOneBy(Invitation, where));
    const now = this.clock.now();
    const others = open.filter((one) => one.id !== id && statusOf(one, now) === 'pending');
    return { invitation, others };
  }

  /** With all admins, if the acceptance can change a disabled admin to a member. */
  private async lockAccount(tx: EntityManager, email: string): Promise<void> {
    const known = await this.users.findByEmail(email, tx);
    if (known?.status === 'disabled' && known.role === 'admin') await lockActiveAdmins(tx, known.id);
    else if (known !== null) await lockUsers(tx, [known.id], 'UPDATE');
  }

  private requirePending(invitation: Invitation | null): Invitation {
    if (invitation === null) throw new InvalidInvitation();
    const status = statusOf(invitation, this.clock.now());
    if (status !== 'pending') throw this.refusal(invitation, status);
    return invitation;
  }

  /** For the holder of the link, an invitation that expired before it was revoked is expired. */
  private refusal({ revokedAt, expiresAt }: Invitation, status: keyof typeof spent): Problem {
    const expiredFirst = status === 'revoked' && revokedAt !== null && revokedAt >= expiresAt;
    return new spent[expiredFirst ? 'expired' : status]();
  }
}

/** Of several grants on the same target the last one. */
const merged = (all: readonly Access[]): Access => ({
  grants: [
    ...new Map(
      all.flatMap(({ grants }) => grants.map((one) => [one.reportId ?? one.workspaceId, one])),
    ).values(),
  ],
  groups: all.flatMap(({ groups }) => groups),
});
