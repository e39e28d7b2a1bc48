import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditDenialsService } from '../../platform/audit/audit-denials.service.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { InvitationAttachmentService } from '../../invitations/invitation-attachment.service.js';
import { assignInvitations, lockAddress } from '../../invitations/invitations.queries.js';
import type { User } from '../../users/user.entity.js';
import { UsersService } from '../../users/users.service.js';
import { IdentitiesService } from './identities.service.js';
import type { ProviderTokens } from './identity-provider.service.js';
import { IdpAccessService } from './idp-access.service.js';
import { IdentityTaken, InvalidClaim, InvitationMailed, SignInRefused } from './provider.errors.js';
import type { ProviderClaims } from './provider-claims.js';
import type { UserIdentity } from './user-identity.entity.js';

interface OidcSignIn extends ProviderTokens {
  /** Secret of the invitation to accept. */
  invitation?: string;
}

type Refusal = SignInRefused | IdentityTaken | InvitationMailed;

const isRefusal = (error: unknown): error is Refusal =>
  [SignInRefused, IdentityTaken, InvitationMailed].some((refusal) => error instanceof refusal);

/** Maps an authenticated provider identity to a user: by linked identity, by invitation or by a sign-in rule. */
@Injectable()
export class OidcProvisioningService {
  constructor(
    private readonly database: DatabaseService,
    private readonly identities: IdentitiesService,
    private readonly access: IdpAccessService,
    private readonly users: UsersService,
    private readonly acceptance: InvitationAttachmentService,
    private readonly denials: AuditDenialsService,
  ) {}

  /** Runs `work` and audits each refusal with the sign-in method. */
  async audited<T>(method: 'oidc' | 'exchange', work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isRefusal(error)) await this.recordRefusal(error, method);
      throw error;
    }
  }

  /** `then` runs in the transaction that evaluates the rules. Throws SignInRefused and InvitationMailed. */
  async completeSignIn<T>(
    arrival: OidcSignIn,
    then: (tx: EntityManager, user: User) => Promise<T>,
  ): Promise<T> {
    const completed = await this.database.transaction(async (tx) => {
      const found = await this.identityOf(tx, arrival);
      if (found === null) return null;
      const identity = await this.identities.recordSignIn(tx, found, arrival);
      await this.access.apply(tx, identity, arrival);
      await this.identities.followEmail(tx, identity, arrival.claims);
      const user = await this.users.get(identity.userId, tx);
      if (user.status !== 'active') throw new SignInRefused('disabled', user.id);
      await this.users.recordSignIn(tx, user.id);
      if (user.email === arrival.claims.verifiedEmail) await assignInvitations(tx, user);
      return { value: await then(tx, user) };
    });
    // The email is committed although the sign-in fails.
    if (completed === null) throw new InvitationMailed();
    return completed.value;
  }

  /** Without an account anybody can cause it, as often as they want: repetitions become one event. */
  private recordRefusal(refusal: Refusal, method: string): Promise<void> {
    const { reason, userId } = refusal;
    const claim = refusal instanceof InvalidClaim ? { claim: refusal.claim } : {};
    const denied = {
      action: 'sign_in_failed',
      actorId: null,
      ...(userId !== null && { target: { type: 'user' as const, id: userId } }),
      details: { method, reason, ...claim },
    } as const;
    return this.denials.recordOwn(refusal, denied);
  }

  /** Null when an email to the invited address must be confirmed first. */
  private async identityOf(
    tx: EntityManager,
    { claims, invitation }: OidcSignIn,
  ): Promise<UserIdentity | null> {
    const known = await this.identities.lock(tx, claims);
    if (invitation === undefined)
      return known ?? this.identityFor(tx, await this.provisionUser(tx, claims), claims);
    const name = claims.name ?? undefined;
    const user = await this.acceptance.accept(tx, invitation, { name, userId: known?.userId });
    if (user === null) return null;
    if (known !== null && known.userId !== user.id) throw new IdentityTaken(known.userId);
    return known ?? this.identityFor(tx, user, claims);
  }

  private identityFor(tx: EntityManager, user: User, claims: ProviderClaims): Promise<UserIdentity> {
    return this.identities.link(tx, user.id, claims, user);
  }

  /** Creates an account for a user whom a rule admits. Requires a verified email address, because identity policies use it. */
  private async provisionUser(tx: EntityManager, claims: ProviderClaims): Promise<User> {
    const email = claims.verifiedEmail;
    // Whoever invites the address meanwhile finds the account.
    if (email !== null) await lockAddress(tx, email);
    const managed = email === null ? null : await this.findManaged(tx, email);
    if (managed !== null) return managed;
    if (!this.access.isAdmitted(claims)) throw new SignInRefused('not_linked');
    if (email === null) throw new SignInRefused('no_verified_email');
    const taken = await this.users.findByEmail(email, tx);
    if (taken !== null) throw new SignInRefused('address_taken', taken.id);
    const name = claims.name ?? (email.split('@')[0] as string);
    return this.users.create(tx, { email, name, role: 'member', passwordHash: null });
  }

  /**
   * A person whom the provider itself manages through SCIM and who has not signed in by it. Not an admin, and not a person
   * with an identity: the address may be that of a successor.
   */
  private async findManaged(tx: EntityManager, email: string): Promise<User | null> {
    const user = await this.users.findByEmail(email, tx);
    const isManaged = user?.source === 'scim' && user.kind === 'person' && user.role === 'member';
    return isManaged && !(await this.identities.isLinked(tx, user.id)) ? user : null;
  }
}
