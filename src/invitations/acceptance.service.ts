import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { Audit } from '../audit/audit.service.js';
import { Clock } from '../common/clock.js';
import { hashOfSecret } from '../common/link-secrets.js';
import { Problem } from '../common/problem.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { type Grant, MembershipsService } from '../workspaces/memberships.service.js';
import { statusOf } from './dto/invitation.dto.js';
import { Invitation } from './invitation.entity.js';
import {
  InvalidInvitation,
  InvitationAccepted,
  InvitationExpired,
  InvitationRevoked,
} from './invitations.errors.js';
import { grantsOf } from './invitations.queries.js';

interface NewAccount {
  passwordHash: string | null;
  name?: string;
}

const spent = { accepted: InvitationAccepted, expired: InvitationExpired, revoked: InvitationRevoked };

@Injectable()
export class Acceptance {
  constructor(
    @InjectRepository(Invitation) private readonly invitations: Repository<Invitation>,
    private readonly users: UsersService,
    private readonly memberships: MembershipsService,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes the account that the invitation promises: address, role and grants come from its row. Of twenty that try at
   * once one succeeds. Throws InvalidInvitation for a made-up secret, and says what happened to the holder of a spent one.
   */
  async accept(tx: EntityManager, secret: string, { passwordHash, name }: NewAccount): Promise<User> {
    const invitation = await this.lockPending(tx, secret);
    const inviter = await this.users.getEver(invitation.invitedBy, tx);
    const grants = await this.stillAllowed(tx, invitation.id);
    const isAdmins = inviter.status === 'active' && inviter.role === 'admin';
    // A member is invited by whoever still may give something of it; an admin by admins only.
    if (!isAdmins && (invitation.role === 'admin' || grants.length === 0)) throw new InvitationRevoked();
    const user = await this.makeOrRevive(tx, invitation, isAdmins, { passwordHash, name });
    await this.memberships.grant(tx, user, user.id, grants);
    await tx.update(Invitation, { id: invitation.id }, { acceptedAt: this.clock.now(), userId: user.id });
    await this.audit.record(tx, {
      action: 'invitation_accepted',
      actorId: user.id,
      target: { type: 'invitation', id: invitation.id },
    });
    return user;
  }

  /** Before anything costly is done for it. Throws as `accept` does; what it finds can change until then. */
  async check(secret: string): Promise<Invitation> {
    return this.requirePending(await this.invitations.findOneBy({ secretHash: hashOfSecret(secret) }));
  }

  /** A disabled person whom an admin invited comes back; an active one has accepted in another way. */
  private async makeOrRevive(
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
    const changes = { status: 'active', role: invitation.role, ...(name !== undefined && { name }) } as const;
    return this.users.update(tx, known, known.id, changes);
  }

  private async lockPending(tx: EntityManager, secret: string): Promise<Invitation> {
    const invitation = await tx.findOne(Invitation, {
      where: { secretHash: hashOfSecret(secret) },
      lock: { mode: 'pessimistic_write' },
    });
    return this.requirePending(invitation);
  }

  private requirePending(invitation: Invitation | null): Invitation {
    if (invitation === null) throw new InvalidInvitation();
    const status = statusOf(invitation, this.clock.now());
    if (status !== 'pending') throw this.refusal(status);
    return invitation;
  }

  private refusal(status: keyof typeof spent): Problem {
    return new spent[status]();
  }

  /** What those who granted it may still grant today. */
  private async stillAllowed(tx: EntityManager, invitationId: string): Promise<Grant[]> {
    const allowed: Grant[] = [];
    for (const { grantedBy, workspaceId, role, expiresAt } of await grantsOf(tx, invitationId)) {
      const giver = await this.users.getEver(grantedBy, tx);
      if (giver.status !== 'active') continue;
      allowed.push(...(await this.memberships.within(giver, [{ workspaceId, role, expiresAt }], tx)));
    }
    return allowed;
  }
}
