import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, MoreThan } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Audit } from '../audit/audit.service.js';
import { Clock } from '../common/clock.js';
import type { Principal } from '../common/principal.js';
import { Database } from '../database/database.service.js';
import { canonicalEmail } from '../users/email.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { type Grant, MembershipsService } from '../workspaces/memberships.service.js';
import { statusOf } from './dto/invitation.dto.js';
import type { InviteUserDto } from './dto/invite-user.dto.js';
import { Invitation } from './invitation.entity.js';
import { InvitationGrant } from './invitation-grant.entity.js';
import { InvitationMail } from './invitation-mail.service.js';
import { InvitationRights } from './invitation-rights.service.js';
import { AlreadyHasAccess, UserIsDisabled } from './invitations.errors.js';
import { addGrants, grantsOf, isWhollyOf } from './invitations.queries.js';

export const EXPIRES_SECONDS = 72 * 3600;
/** Within it nothing more is sent to the same address, and nothing changes. */
export const QUIET_SECONDS = 60;

/** What inviting came to. `acceptUrl` is there only for an admin who must hand the link on. */
export interface Invited {
  invitation: Invitation;
  grants: InvitationGrant[];
  /** Whether it is a new one. */
  created?: boolean;
  acceptUrl?: string;
}

type Input = Omit<InviteUserDto, 'workspaces'> & { grants: Grant[] };

@Injectable()
export class InvitationsService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly memberships: MembershipsService,
    private readonly rights: InvitationRights,
    private readonly mail: InvitationMail,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  /** Invites a stranger, renews a pending invitation, or gives somebody who is already here the grants at once. */
  async invite(caller: Principal, { workspaces, ...body }: InviteUserDto): Promise<Invited> {
    const asked = await this.rights.check(caller, body.role, workspaces);
    const email = canonicalEmail(body.email);
    return this.database.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`invite:${email}`]);
      const input = { ...body, email, grants: await this.rights.hold(tx, caller, asked) };
      const user = await this.users.findByEmail(input.email, tx);
      if (user?.status === 'active') return this.giveTo(tx, caller, user, input);
      if (user !== null && caller.role !== 'admin') throw new UserIsDisabled();
      const open = await tx.findOneBy(Invitation, {
        email: input.email,
        acceptedAt: IsNull(),
        revokedAt: IsNull(),
      });
      if (open === null) return this.create(tx, caller, input);
      if (statusOf(open, this.clock.now()) === 'pending') return this.renew(tx, caller, open, input);
      await tx.update(Invitation, { id: open.id }, { revokedAt: this.clock.now() });
      return this.create(tx, caller, input);
    });
  }

  private async create(tx: EntityManager, caller: Principal, input: Input): Promise<Invited> {
    const { invitation, link } = this.draft(caller, input);
    await tx.insert(Invitation, invitation);
    const grants = await addGrants(tx, invitation.id, caller.id, input.grants);
    await this.mail.enqueue(tx, caller, invitation);
    await this.record(tx, 'invitation_created', caller, invitation);
    return { invitation, grants, created: true, acceptUrl: this.mail.handOn(caller, link) };
  }

  /**
   * The same invitation with a new link, from now on the caller's. On one that is not wholly theirs, or no longer, a
   * manager only adds grants and gets no link.
   */
  private async renew(
    tx: EntityManager,
    caller: Principal,
    open: Invitation,
    input: Input,
  ): Promise<Invited> {
    const isQuiet = this.clock.in(-QUIET_SECONDS) < open.mailedAt;
    const isForeign = !(await isWhollyOf(tx, caller, open, this.clock.now()));
    if (isForeign) {
      if (!isQuiet) await this.extend(tx, caller, open, input.grants);
      return ownPartOf(open, await grantsOf(tx, open.id), caller);
    }
    if (isQuiet) return { invitation: open, grants: await grantsOf(tx, open.id) };
    const grants = await addGrants(tx, open.id, caller.id, input.grants);
    const { invitation, link } = this.draft(caller, input, {
      id: open.id,
      createdAt: open.createdAt,
      name: input.name ?? open.name,
    });
    await tx.update(Invitation, { id: open.id }, invitation);
    await this.mail.enqueue(tx, caller, invitation);
    await this.record(tx, 'invitation_resent', caller, invitation);
    return { invitation, grants, acceptUrl: this.mail.handOn(caller, link) };
  }

  private async extend(
    tx: EntityManager,
    caller: Principal,
    open: Invitation,
    grants: Grant[],
  ): Promise<void> {
    await addGrants(tx, open.id, caller.id, grants);
    await this.audit.record(tx, {
      action: 'grant_set',
      actorId: caller.id,
      target: { type: 'invitation', id: open.id },
      details: { grants },
    });
  }

  /** Somebody with an account needs no link: the invitation is accepted as it is made. */
  private async giveTo(tx: EntityManager, caller: Principal, user: User, input: Input): Promise<Invited> {
    const changes = await this.memberships.grant(tx, caller, user.id, input.grants);
    if (changes === 0) throw new AlreadyHasAccess();
    const recent = await this.recentOf(tx, caller, user);
    if (recent !== null) {
      return { invitation: recent, grants: await addGrants(tx, recent.id, caller.id, input.grants) };
    }
    const { invitation } = this.draft(caller, input, {
      name: user.name,
      role: user.role,
      acceptedAt: this.clock.now(),
      userId: user.id,
    });
    await tx.insert(Invitation, invitation);
    const grants = await addGrants(tx, invitation.id, caller.id, input.grants);
    await this.mail.enqueue(tx, caller, invitation);
    await this.record(tx, 'invitation_created', caller, invitation);
    return { invitation, grants };
  }

  /** The mail of a moment ago says it already: whoever changes a grant to and fro floods nobody. */
  private recentOf(tx: EntityManager, caller: Principal, user: User): Promise<Invitation | null> {
    return tx.findOneBy(Invitation, {
      userId: user.id,
      invitedBy: caller.id,
      mailedAt: MoreThan(this.clock.in(-QUIET_SECONDS)),
    });
  }

  private draft(
    caller: Principal,
    { email, name, role }: Input,
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
      userId: null,
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

/** What a manager learns of somebody else's invitation: the own part, and nothing of the rest. */
const ownPartOf = (open: Invitation, grants: readonly InvitationGrant[], caller: Principal): Invited => ({
  invitation: { ...open, name: null, role: 'member', invitedBy: caller.id, deliveryError: null },
  grants: grants.filter(({ grantedBy }) => grantedBy === caller.id),
});
