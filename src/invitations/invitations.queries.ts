// SQL, because locks of addresses and links of open invitations are sets, and the rest are conditions.
import {
  Any,
  type EntityManager,
  type FindOptionsWhere,
  IsNull,
  LessThanOrEqual,
  Like,
  MoreThan,
  Not,
  type SelectQueryBuilder,
} from 'typeorm';
import type { Principal } from '../core/http/principal.js';
import { execute } from '../core/database/execute.js';
import { placeholderEmail } from '../core/validation/email-address.js';
import { managedBy } from '../access/grants/grants.queries.js';
import type { InvitationStatus } from './dto/invitation.dto.js';
import { Invitation } from './invitation.entity.js';
import { pendingGrants } from './pending-access.queries.js';

/**
 * Restricts the query to invitations that the caller may manage. Admins: all. Managers: member invitations whose grants
 * are all in workspaces that the manager manages now, without groups, if the inviter gave one of these grants. An invitation
 * without a grant therefore stays with its inviter, even if a manager adds grants to it.
 */
export function onlyManageable(
  query: SelectQueryBuilder<Invitation>,
  caller: Principal,
  now: Date,
): SelectQueryBuilder<Invitation> {
  if (caller.role === 'admin') return query;
  const managed = managedBy(':callerId', ':now');
  return query
    .andWhere(`invitation.role = 'member'`)
    .andWhere(
      `EXISTS (SELECT FROM (${pendingGrants}) AS g
        WHERE g.invitation_id = invitation.id AND g.granted_by = invitation.invited_by)`,
    )
    .andWhere(`NOT EXISTS (SELECT FROM invitation_groups g WHERE g.invitation_id = invitation.id)`)
    .andWhere(
      `NOT EXISTS (SELECT FROM (${pendingGrants}) AS g
        WHERE g.invitation_id = invitation.id AND g.workspace_id NOT IN (${managed}))`,
      { callerId: caller.id, now },
    );
}

/** SQL condition: whether the account has an open invitation. */
export const hasOpenInvitation = (userId: string, now: string): string =>
  `EXISTS (SELECT FROM invitations i WHERE i.user_id = ${userId}
     AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > ${now})`;

/** Condition: the open invitations of an account. */
export const openOf = (userId: string, now: Date): FindOptionsWhere<Invitation> => ({
  userId,
  acceptedAt: IsNull(),
  revokedAt: IsNull(),
  expiresAt: MoreThan(now),
});

/** Whether the account has an open invitation. */
export const findOpenInvitation = (manager: EntityManager, userId: string, now: Date): Promise<boolean> =>
  manager.existsBy(Invitation, openOf(userId, now));

/** Locks and returns all invitations for this address that are neither accepted nor revoked, the inviter's own first. */
export async function whereOpenFor(
  tx: EntityManager,
  email: string,
  inviterId?: string,
): Promise<Invitation[]> {
  const open = { email, acceptedAt: IsNull(), revokedAt: IsNull() };
  const found = await tx.find(Invitation, {
    where: open,
    order: { id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
  const isOther = ({ invitedBy }: Invitation): number => Number(invitedBy !== inviterId);
  return found.toSorted((a, b) => isOther(a) - isOther(b));
}

/** Serializes inviting an address with the acceptance of its invitations. Taken before every other lock of both. */
export const lockAddress = (tx: EntityManager, email: string): Promise<unknown> => lockAddresses(tx, [email]);

export const lockAddresses = (tx: EntityManager, emails: readonly string[]): Promise<unknown> =>
  execute(
    tx,
    `SELECT pg_advisory_xact_lock(key) FROM (
       SELECT DISTINCT hashtext('invite:' || email) AS key FROM unnest($1::text[]) AS email ORDER BY key
     ) AS keys`,
    [emails],
  );

/** The rows that `whereOpenFor` locks, for several addresses. */
export const lockOpenFor = (tx: EntityManager, emails: readonly string[]): Promise<unknown> =>
  tx.find(Invitation, {
    where: { email: Any([...emails]), acceptedAt: IsNull(), revokedAt: IsNull() },
    select: { id: true },
    order: { id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });

/**
 * Assigns the invitations of this address to its account, which accepts them with its next sign-in or request. The caller
 * has verified that the address belongs to the owner of the account. An invitation that is being changed is left to the
 * next sign-in, so that nothing waits.
 */
export const assignInvitations = (
  tx: EntityManager,
  { id, email }: { id: string; email: string },
): Promise<unknown> =>
  execute(
    tx,
    `UPDATE invitations SET user_id = $1 WHERE id IN (
       SELECT id FROM invitations
       WHERE email = $2 AND user_id IS NULL AND accepted_at IS NULL AND revoked_at IS NULL FOR UPDATE SKIP LOCKED)`,
    [id, email],
  );

/**
 * Ends the invitations of a former address, whose links are void: a successor may have the address one day. They belong to the account
 * that had it, and are erased with it. Returns the ids of those that were pending.
 */
export async function endFormer(
  tx: EntityManager,
  userId: string,
  formerEmail: string,
  now: Date,
): Promise<string[]> {
  const ofFormer = { email: formerEmail, userId: IsNull(), acceptedAt: IsNull() };
  const pending = await tx.find(Invitation, {
    where: { ...ofFormer, revokedAt: IsNull(), expiresAt: MoreThan(now) },
    select: { id: true },
  });
  await tx.update(Invitation, { ...ofFormer, revokedAt: IsNull() }, { revokedAt: now });
  // Resent, an expired one of the account would be mailed to the successor.
  const expired = { ...ofFormer, userId, revokedAt: IsNull(), expiresAt: LessThanOrEqual(now) };
  await tx.update(Invitation, expired, { revokedAt: now });
  await tx.update(Invitation, ofFormer, { userId });
  return pending.map(({ id }) => id);
}

/** The inviter's accepted invitations of this account that were mailed after `since`. */
export const findAcceptedSince = (
  tx: EntityManager,
  invitedBy: string,
  userId: string,
  since: Date,
): Promise<Invitation[]> =>
  tx.findBy(Invitation, { userId, invitedBy, acceptedAt: Not(IsNull()), mailedAt: MoreThan(since) });

/** Invalidates the links that were mailed to this address or shared. The invitations themselves are not changed. */
export const voidLinksTo = (tx: EntityManager, email: string): Promise<unknown> =>
  tx.update(
    Invitation,
    { email, acceptedAt: IsNull(), revokedAt: IsNull() },
    { secretHash: () => 'sha256(secret_hash || uuid_send(gen_random_uuid()))' },
  );

/** Whether the caller may renew the invitation: admins any, managers only own invitations that pass `onlyManageable`. */
export async function isManageableBy(
  tx: EntityManager,
  caller: Principal,
  { id, invitedBy }: Invitation,
  now: Date,
): Promise<boolean> {
  if (caller.role === 'admin') return true;
  const query = tx.createQueryBuilder(Invitation, 'invitation').where('invitation.id = :id', { id });
  return invitedBy === caller.id && onlyManageable(query, caller, now).getExists();
}

/** SQL condition: neither accepted nor revoked. */
export const open = 'invitation.acceptedAt IS NULL AND invitation.revokedAt IS NULL';

/** SQL equivalent of `statusOf`. */
export const statusConditions: Record<InvitationStatus, string> = {
  pending: `${open} AND invitation.expiresAt > :now`,
  accepted: 'invitation.acceptedAt IS NOT NULL',
  revoked: 'invitation.acceptedAt IS NULL AND invitation.revokedAt IS NOT NULL',
  expired: `${open} AND invitation.expiresAt <= :now`,
};

/** Returns the addresses of those of the given invitations whose invitee is not erased. */
export const addresseesOf = (
  manager: EntityManager,
  ids: readonly string[],
): Promise<Pick<Invitation, 'id' | 'email'>[]> =>
  manager.find(Invitation, {
    where: { id: Any([...ids]), email: Not(Like(placeholderEmail('%', 'erased'))) },
    select: { id: true, email: true },
  });

/** Locks one invitation, if it exists. */
export const lockInvitation = (
  tx: EntityManager,
  where: Pick<Invitation, 'id'> | Pick<Invitation, 'secretHash'>,
): Promise<unknown> =>
  tx.findOne(Invitation, { where, select: { id: true }, lock: { mode: 'pessimistic_write' } });
