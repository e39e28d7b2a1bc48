import { Injectable } from '@nestjs/common';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { AuditService } from '../platform/audit/audit.service.js';
import { Clock } from '../core/clock.js';
import { Cursors } from '../core/lists/cursors.js';
import { nameKeyOf } from '../core/lists/fold-name.js';
import { searchPeople } from '../core/lists/person-search.js';
import { listPage, type Page, selectedBy } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { DatabaseService } from '../core/database/database.service.js';
import { lockAccountOf } from '../users/users.queries.js';
import { invitationSortKeys, ListInvitationsQuery, statusOf } from './dto/invitation.dto.js';
import { Invitation } from './invitation.entity.js';
import { EXPIRES_SECONDS, type Invited, MAIL_INTERVAL_SECONDS } from './invitation-issuance.service.js';
import { InvitationMailService } from './invitation-mail.service.js';
import { InvitationRightsService } from './invitation-rights.service.js';
import { InvitationNotFound, InvitationNotPending, ResendTooSoon } from './invitations.errors.js';
import {
  lockAddress,
  lockInvitation,
  onlyManageable,
  open,
  statusConditions,
} from './invitations.queries.js';
import { pendingAccessOf } from './pending-access.queries.js';

/** An invitation that expired earlier is not resent with all others. */
const RESENDABLE_SECONDS = 30 * 24 * 3600;

/** Lists, resends and revokes existing invitations. */
@Injectable()
export class PendingInvitationsService {
  constructor(
    private readonly database: DatabaseService,
    private readonly mail: InvitationMailService,
    private readonly rights: InvitationRightsService,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
    private readonly audit: AuditService,
  ) {}

  async list(
    caller: Principal,
    { status, delivery, q, ...page }: ListInvitationsQuery,
  ): Promise<Page<Invited>> {
    const query = this.manageableBy(caller, this.database.manager);
    if (status !== undefined) query.andWhere(`(${statusConditions[status]})`, { now: this.clock.now() });
    if (delivery !== undefined) query.andWhere('invitation.delivery = :delivery', { delivery });
    searchPeople(query, q, { name: nameKeyOf('invitation.name'), email: nameKeyOf('invitation.email') });
    const paged = { reader: caller, ...page, q, keys: invitationSortKeys, filters: { status, delivery } };
    const found = await listPage(selectedBy(query), paged, this.cursors);
    const given = await pendingAccessOf(this.database.manager, ...found.items.map(({ id }) => id));
    const invited = found.items.map((invitation) => ({
      invitation,
      grants: given.grants.filter(({ invitationId }) => invitationId === invitation.id),
      groups: given.groups.filter(({ invitationId }) => invitationId === invitation.id),
    }));
    return { ...found, items: invited };
  }

  /** Throws InvitationNotFound, also for an invitation that the caller may not manage. */
  async get(caller: Principal, id: string, tx = this.database.manager): Promise<Invited> {
    const invitation = await this.manageableBy(caller, tx).andWhere('invitation.id = :id', { id }).getOne();
    if (invitation === null) throw new InvitationNotFound();
    return { invitation, ...(await pendingAccessOf(tx, id)) };
  }

  /** Open invitations whose last email is old enough, longest without an email first; `after` continues after one of them. */
  findResendable(
    caller: Principal,
    mailedBefore: Date,
    limit: number,
    after?: Invitation,
  ): Promise<Invitation[]> {
    return this.manageableBy(caller, this.database.manager)
      .andWhere(`${open} AND invitation.mailedAt <= :mailedBefore AND invitation.expiresAt > :expiredAfter`, {
        mailedBefore,
        expiredAfter: this.clock.in(-RESENDABLE_SECONDS),
      })
      .andWhere(
        after === undefined ? 'TRUE' : '(invitation.mailedAt, invitation.id) > (:lastMailedAt, :lastId)',
        { lastMailedAt: after?.mailedAt, lastId: after?.id },
      )
      .orderBy('invitation.mailedAt')
      .addOrderBy('invitation.id')
      .limit(limit)
      .getMany();
  }

  /**
   * Sends a new link by email; the previous link stops working if the new one can reach the user. Throws InvitationNotFound,
   * InvitationNotPending (also if nothing is left that its grantors may give), ResendTooSoon or TooManyMails. `isBulk`
   * selects the limit of mails.
   */
  async resend(caller: Principal, id: string, { isBulk = false } = {}): Promise<Invited> {
    const { email } = (await this.get(caller, id)).invitation;
    return this.database.contendedTransaction(async (tx) => {
      await lockAddress(tx, email);
      // It needs no link, and can be newer than the invitation.
      const account = await lockAccountOf(tx, email);
      const { invitation, ...given } = await this.lockPending(tx, caller, id);
      const userId = invitation.userId ?? account;
      // An account accepts without a proof that the address is its owner's: enough for access, not for the role.
      if (invitation.userId === null && account !== null && invitation.role === 'admin')
        throw new InvitationNotPending(
          'Its address has an active account. Change the role of this account instead.',
        );
      if ((await this.rights.revalidate(tx, invitation)) === null)
        throw new InvitationNotPending(
          'Its access has expired, or the user who invited may no longer give it. Create a new invitation.',
        );
      const wait =
        MAIL_INTERVAL_SECONDS - (this.clock.now().getTime() - invitation.mailedAt.getTime()) / 1000;
      if (wait > 0) throw new ResendTooSoon(Math.ceil(wait));
      const { link, ...secret } = this.mail.newLink();
      const changes = {
        ...(this.mail.canReplaceLink(caller) && secret),
        delivery: this.mail.firstDelivery,
        deliveryError: null,
        mailedAt: this.clock.now(),
        expiresAt: this.clock.in(EXPIRES_SECONDS),
        userId,
      };
      await tx.update(Invitation, { id }, changes);
      const renewed = { ...invitation, ...changes };
      await this.mail.enqueue(tx, caller, renewed, { isBulk });
      await this.record(tx, 'invitation_resent', caller, id, isBulk ? { bulk: true } : undefined);
      if (userId !== null) return { invitation: renewed, ...given };
      return { invitation: renewed, ...given, acceptUrl: this.mail.shareableLink(caller, link) };
    });
  }

  async revoke(caller: Principal, id: string): Promise<void> {
    await this.get(caller, id);
    await this.database.contendedTransaction(async (tx) => {
      await this.lockPending(tx, caller, id);
      await tx.update(Invitation, { id }, { revokedAt: this.clock.now() });
      await this.record(tx, 'invitation_revoked', caller, id);
    });
  }

  /**
   * An expired invitation can be resent or revoked; an accepted or revoked one cannot. Rights are checked before the
   * lock, so that only callers with these rights can take it.
   */
  private async lockPending(tx: EntityManager, caller: Principal, id: string): Promise<Invited> {
    await lockInvitation(tx, { id });
    const found = await this.get(caller, id, tx);
    const status = statusOf(found.invitation, this.clock.now());
    const isOpen = found.invitation.acceptedAt === null && found.invitation.revokedAt === null;
    if (!isOpen) throw new InvitationNotPending(`The invitation is ${status}.`);
    return found;
  }

  private manageableBy(caller: Principal, tx: EntityManager): SelectQueryBuilder<Invitation> {
    const query = tx.createQueryBuilder(Invitation, 'invitation').where('TRUE');
    return onlyManageable(query, caller, this.clock.now());
  }

  private record(
    tx: EntityManager,
    action: 'invitation_resent' | 'invitation_revoked',
    { id: actorId }: Principal,
    id: string,
    details?: { bulk: true },
  ): Promise<void> {
    return this.audit.record(tx, { action, actorId, target: { type: 'invitation', id }, details });
  }
}
