import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../platform/audit/audit.service.js';
import { Clock } from '../core/clock.js';
import { CacheInvalidationService } from '../core/database/cache-invalidation.service.js';
import type { PlatformRole, Principal } from '../core/http/principal.js';
import type { User } from '../users/user.entity.js';
import { statusOf } from './dto/invitation.dto.js';
import type { InviteUserDto } from './dto/invite-user.dto.js';
import { Invitation } from './invitation.entity.js';
import { InvitationMailService } from './invitation-mail.service.js';
import { InvitationRightsService } from './invitation-rights.service.js';
import { findAcceptedSince, isManageableBy, whereOpenFor } from './invitations.queries.js';
import {
  type Access,
  addAccess,
  idsOf,
  isAbout,
  type PendingAccess,
  pendingAccessOf,
} from './pending-access.queries.js';

export const EXPIRES_SECONDS = 72 * 3600;
/** Minimum interval between two mails for the same invitation. */
export const MAIL_INTERVAL_SECONDS = 60;

/** Result of an invitation. `acceptUrl` is set only for an admin, when no mail server is configured. */
export interface Invited extends PendingAccess {
  invitation: Invitation;
  /** Whether a new invitation was created. */
  created?: boolean;
  acceptUrl?: string;
}

type InvitationInput = Omit<InviteUserDto, 'workspaces' | 'reports' | 'groups'> &
  Pick<Invitation, 'userId'> & { access: Access; isBulk: boolean };

interface IssuedInvitation extends Pick<InvitationInput, 'message' | 'isBulk'> {
  invitation: Invitation;
  given: PendingAccess;
}

/** Writes an invitation with its grants, its mail and its audit event, in the caller's transaction. */
@Injectable()
export class InvitationIssuanceService {
  constructor(
    private readonly mail: InvitationMailService,
    private readonly rights: InvitationRightsService,
    private readonly audit: AuditService,
    private readonly changes: CacheInvalidationService,
    private readonly clock: Clock,
  ) {}

  /** Admins renew any pending invitation; managers only their own, while they manage all of its workspaces. */
  async createOrRenew(tx: EntityManager, caller: Principal, input: InvitationInput): Promise<Invited> {
    const open = await whereOpenFor(tx, input.email, caller.id);
    const own = open.find(({ invitedBy }) => invitedBy === caller.id);
    const now = this.clock.now();
    let pending: Invitation | undefined;
    for (const one of open.filter((each) => each === own || each.userId === null)) {
      if (pending !== undefined || statusOf(one, now) !== 'pending') continue;
      if (await isManageableBy(tx, caller, one, now)) pending = one;
    }
    if (own !== undefined && own !== pending) await this.revoke(tx, caller, own);
    const invited = await (pending === undefined
      ? this.create(tx, caller, input)
      : this.renew(tx, caller, pending, { ...input, role: await this.roleWith(tx, pending, input) }));
    return { ...invited, created: caller.role !== 'admin' || invited.created };
  }

  /** An existing account needs no link: the invitation is created as accepted. */
  async createAccepted(
    tx: EntityManager,
    caller: Principal,
    user: User,
    input: Omit<InvitationInput, 'userId'>,
  ): Promise<Invited> {
    // Toggling a grant does not flood the user with mail.
    const recent = await findAcceptedSince(tx, caller.id, user.id, this.clock.in(-MAIL_INTERVAL_SECONDS));
    const access = await pendingAccessOf(tx, ...recent.map(({ id }) => id));
    const same = recent.find(({ id }) => isAbout(access, id, input.access));
    if (same !== undefined)
      return { invitation: same, ...(await addAccess(tx, same.id, caller.id, input.access)) };
    const role = caller.role === 'admin' ? user.role : input.role;
    const known = { name: user.name, role, acceptedAt: this.clock.now() };
    const { invitation } = this.draft(caller, { ...input, userId: user.id }, known);
    await tx.insert(Invitation, invitation);
    const given = await addAccess(tx, invitation.id, caller.id, input.access);
    await this.send(tx, 'invitation_created', caller, { invitation, given, ...input });
    return { invitation, ...given };
  }

  /** The revocation of an expired invitation is no event. */
  private async revoke(tx: EntityManager, { id: actorId }: Principal, own: Invitation): Promise<void> {
    const { id } = own;
    const now = this.clock.now();
    await tx.update(Invitation, { id }, { revokedAt: now });
    if (statusOf(own, now) !== 'pending') return;
    await this.audit.record(tx, {
      action: 'invitation_revoked',
      actorId,
      target: { type: 'invitation', id },
    });
  }

  private async create(tx: EntityManager, caller: Principal, input: InvitationInput): Promise<Invited> {
    const { invitation, link } = this.draft(caller, input);
    await tx.insert(Invitation, invitation);
    const given = await addAccess(tx, invitation.id, caller.id, input.access);
    await this.send(tx, 'invitation_created', caller, { invitation, given, ...input });
    this.announce(tx, invitation);
    return { invitation, ...given, created: true, acceptUrl: this.mail.shareableLink(caller, link) };
  }

  /**
   * Replaces the link, if the new one can reach the user, and makes the caller the inviter. Within MAIL_INTERVAL_SECONDS
   * after the last mail the link stays valid, and no other is sent.
   */
  private async renew(
    tx: EntityManager,
    caller: Principal,
    open: Invitation,
    input: InvitationInput,
  ): Promise<Invited> {
    if (this.clock.in(-MAIL_INTERVAL_SECONDS) < open.mailedAt) return this.extend(tx, caller, open, input);
    const given = await addAccess(tx, open.id, caller.id, input.access);
    const { invitation, link } = this.draft(caller, input, {
      id: open.id,
      createdAt: open.createdAt,
      name: input.name ?? open.name,
    });
    const { secretSalt, secretHash, ...kept } = invitation;
    const secret = this.mail.canReplaceLink(caller) && { secretSalt, secretHash };
    await tx.update(Invitation, { id: open.id }, { ...kept, ...secret });
    await this.send(tx, 'invitation_resent', caller, { invitation, given, ...input });
    this.announce(tx, invitation);
    return { invitation, ...given, acceptUrl: this.mail.shareableLink(caller, link) };
  }

  /** The role admin stays, unless its inviter may no longer give it. */
  private async roleWith(
    tx: EntityManager,
    open: Invitation,
    { role }: Pick<InvitationInput, 'role'>,
  ): Promise<PlatformRole> {
    if (open.role !== 'admin') return role;
    return (await this.rights.revalidate(tx, open)) === null ? role : 'admin';
  }

  /** Adds the access to the invitation. */
  private async extend(
    tx: EntityManager,
    caller: Principal,
    open: Invitation,
    { access, name, role, userId, isBulk }: InvitationInput,
  ): Promise<Invited> {
    const before = await pendingAccessOf(tx, open.id);
    const given = await addAccess(tx, open.id, caller.id, access);
    const changes = { invitedBy: caller.id, userId, name: name ?? open.name, role };
    const invitation = { ...open, ...changes };
    if (isDeepStrictEqual([invitation, given], [{ ...open }, before])) return { invitation, ...given };
    await tx.update(Invitation, { id: open.id }, changes);
    await this.record(tx, 'invitation_changed', caller, { invitation, given, isBulk });
    this.announce(tx, invitation);
    return { invitation, ...given };
  }

  private draft(
    caller: Principal,
    { email, name, role, userId }: InvitationInput,
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
      attachUserId: null,
      ...known,
    };
    return { invitation, link };
  }

  /**
   * Invalidates cached rights on all replicas, so that the user's next request starts the acceptance. Published for
   * every address, because response times would otherwise reveal whether an account exists.
   */
  private announce(tx: EntityManager, { id, userId }: Invitation): void {
    this.changes.publish(tx, 'rights', userId ?? id);
  }

  private async send(
    tx: EntityManager,
    action: 'invitation_created' | 'invitation_resent',
    caller: Principal,
    issued: IssuedInvitation,
  ): Promise<void> {
    await this.mail.enqueue(tx, caller, issued.invitation, issued);
    await this.record(tx, action, caller, issued);
  }

  private async record(
    tx: EntityManager,
    action: 'invitation_created' | 'invitation_resent' | 'invitation_changed',
    caller: Principal,
    { invitation, given, isBulk }: IssuedInvitation,
  ): Promise<void> {
    const target = { type: 'invitation', id: invitation.id } as const;
    const details = { role: invitation.role, ...idsOf(given), ...(isBulk && { bulk: true }) };
    await this.audit.record(tx, { action, actorId: caller.id, target, details });
  }
}
