import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, MoreThan, Not } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../audit/audit.service.js';
import { Clock } from '../core/clock.js';
import type { Principal } from '../core/http/principal.js';
import { DatabaseService } from '../core/database/database.service.js';
import { canonicalEmail } from '../core/validation/email-address.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { type Grant, MembershipsService } from '../workspaces/memberships.service.js';
import { statusOf } from './dto/invitation.dto.js';
import { AccountInvitationsService } from './account-invitations.service.js';
import type { InviteUserDto } from './dto/invite-user.dto.js';
import { Invitation } from './invitation.entity.js';
import { PendingGrant } from './invitation-grant.entity.js';
import { InvitationMailService } from './invitation-mail.service.js';
import { InvitationRightsService } from './invitation-rights.service.js';
import { AlreadyHasAccess, UserIsDisabled } from './invitations.errors.js';
import { addGrants, grantsOf, isManageableBy, whereOpenFor } from './invitations.queries.js';

export const EXPIRES_SECONDS = 72 * 3600;
/** Minimum interval between two mails for the same invitation. */
export const QUIET_SECONDS = 60;

/** Result of an invitation. `acceptUrl` is set only for an admin, when no mail server is configured. */
export interface Invited {
  invitation: Invitation;
  grants: PendingGrant[];
  /** Whether a new invitation was created. */
  created?: boolean;
  acceptUrl?: string;
}

type Input = Omit<InviteUserDto, 'workspaces'> & Pick<Invitation, 'userId'> & { grants: Grant[] };

@Injectable()
export class InvitationsService {
  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersService,
    private readonly memberships: MembershipsService,
    private readonly rights: InvitationRightsService,
    private readonly accounts: AccountInvitationsService,
    private readonly mail: InvitationMailService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates an invitation, renews a pending one, or gives grants at once to an account that the caller may see. A
   * manager who may not see the account gets a new invitation as for any other address. Throws InvalidRequest,
   * MayNotInvite, UserIsDisabled, AlreadyHasAccess or TooManyMails.
   */
  async invite(caller: Principal, { workspaces, ...body }: InviteUserDto): Promise<Invited> {
    const asked = await this.rights.check(caller, body.role, workspaces);
    const email = canonicalEmail(body.email);
    return this.database.contendedTransaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`invite:${email}`]);
      const input = { ...body, email, grants: await this.rights.lockGrantor(tx, caller, asked) };
      const user = await this.users.findByEmail(input.email, tx);
      const isKnown = user === null || (await this.rights.canSeeAccount(tx, caller, user.id));
      if (!isKnown) return this.createOrRenew(tx, caller, { ...input, userId: user.id });
      if (user?.status === 'active') return this.grantToExisting(tx, caller, user, input);
      if (user !== null && caller.role !== 'admin') throw new UserIsDisabled();
      return this.createOrRenew(tx, caller, { ...input, userId: null });
    });
  }

  /** Admins renew any pending invitation; managers only their own, while they manage all of its workspaces. */
  private async createOrRenew(tx: EntityManager, caller: Principal, input: Input): Promise<Invited> {
    const open = await whereOpenFor(tx, input.email, caller.id);
    const own = open.find(({ invitedBy }) => invitedBy === caller.id);
    const now = this.clock.now();
    let pending: Invitation | undefined;
    for (const one of open.filter((each) => each === own || each.userId === null)) {
      if (pending !== undefined || statusOf(one, now) !== 'pending') continue;
      if (await isManageableBy(tx, caller, one, now)) pending = one;
    }
    if (own !== undefined && own !== pending) await tx.update(Invitation, { id: own.id }, { revokedAt: now });
    const invited = await (pending === undefined
      ? this.create(tx, caller, input)
      : this.renew(tx, caller, pending, input));
    return { ...invited, created: caller.role !== 'admin' || invited.created };
  }

  private async create(tx: EntityManager, caller: Principal, input: Input): Promise<Invited> {
    const { invitation, link } = this.draft(caller, input);
    await tx.insert(Invitation, invitation);
    const grants = await addGrants(tx, invitation.id, caller.id, input.grants);
    await this.mail.enqueue(tx, caller, invitation);
    await this.record(tx, 'invitation_created', caller, invitation);
    this.accounts.announce(tx, invitation);
    return { invitation, grants, created: true, acceptUrl: this.mail.shareableLink(caller, link) };
  }

  /** Replaces the link and makes the caller the inviter. Changes nothing within QUIET_SECONDS after the last mail. */
  private async renew(
    tx: EntityManager,
    caller: Principal,
    open: Invitation,
    input: Input,
  ): Promise<Invited> {
    if (this.clock.in(-QUIET_SECONDS) < open.mailedAt) {
      return { invitation: open, grants: await grantsOf(tx, open.id) };
    }
    const grants = await addGrants(tx, open.id, caller.id, input.grants);
    const { invitation, link } = this.draft(caller, input, {
      id: open.id,
      createdAt: open.createdAt,
      name: input.name ?? open.name,
    });
    await tx.update(Invitation, { id: open.id }, invitation);
    await this.mail.enqueue(tx, caller, invitation);
    await this.record(tx, 'invitation_resent', caller, invitation);
    this.accounts.announce(tx, invitation);
    return { invitation, grants, acceptUrl: this.mail.shareableLink(caller, link) };
  }

  /** An existing account needs no link: the invitation is created as accepted. Throws AlreadyHasAccess. */
  private async grantToExisting(
    tx: EntityManager,
    caller: Principal,
    user: User,
    input: Omit<Input, 'userId'>,
  ): Promise<Invited> {
    const changes = await this.memberships.grant(tx, caller, user.id, input.grants);
    if (changes === 0) throw new AlreadyHasAccess();
    const recent = await this.recentOf(tx, caller, user);
    if (recent !== null) {
      return { invitation: recent, grants: await addGrants(tx, recent.id, caller.id, input.grants) };
    }
    const role = caller.role === 'admin' ? user.role : input.role;
    const { invitation } = this.draft(
      caller,
      { ...input, userId: user.id },
      {
        name: user.name,
        role,
        acceptedAt: this.clock.now(),
      },
    );
    await tx.insert(Invitation, invitation);
    const grants = await addGrants(tx, invitation.id, caller.id, input.grants);
    await this.mail.enqueue(tx, caller, invitation);
    await this.record(tx, 'invitation_created', caller, invitation);
    return { invitation, grants };
  }

  /** An invitation mailed within QUIET_SECONDS is reused, so that toggling a grant does not flood the user with mail. */
  private recentOf(tx: EntityManager, caller: Principal, user: User): Promise<Invitation | null> {
    return tx.findOneBy(Invitation, {
      userId: user.id,
      invitedBy: caller.id,
      acceptedAt: Not(IsNull()),
      mailedAt: MoreThan(this.clock.in(-QUIET_SECONDS)),
    });
  }

  private draft(
    caller: Principal,
    { email, name, role, userId }: Input,
    known: Partial<Invitation> = {},
  ): { invitation: Invitation; link: string } {
    const now = this.clock.now();
    const { link, secretSalt, secretHash } = this.mail.newLink();
    const invitation: Invitation = {
      id: uuidv7(),
      email,
      name: name ?? null,
      role,
      secretSalt,
      secretHash,
      invitedBy: caller.id,
      delivery: this.mail.firstDelivery,
      deliveryError: null,
      mailedAt: now,
      createdAt: now,
      expiresAt: this.clock.in(EXPIRES_SECONDS),
      acceptedAt: null,
      revokedAt: null,
      userId,
      ...known,
    };
    return { invitation, link };
  }

  private record(
    tx: EntityManager,
    action: 'invitation_created' | 'invitation_resent',
    caller: Principal,
    { id, role }: Invitation,
  ): Promise<void> {
    return this.audit.record(tx, {
      action,
      actorId: caller.id,
      target: { type: 'invitation', id },
      details: { role },
    });
  }
}
