import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, Not } from 'typeorm';
import { Clock } from '../../core/clock.js';
import { Sealer } from '../../core/crypto/sealer.js';
import { IdpGroupsService } from '../../access/groups/idp-groups.service.js';
import { IdpGrantsService } from '../../reports/idp-grants.service.js';
import { type Provided, IdpProfileService, mayDemote } from '../../users/idp-profile.service.js';
import { lockActiveAdmins } from '../../users/users.queries.js';
import { TooManyAttributes } from '../../users/users.errors.js';
import { IdentityProviderService, type ProviderTokens } from './identity-provider.service.js';
import { SignInRefused } from './provider.errors.js';
import type { ProviderClaims } from './provider-claims.js';
import { type Entitlements, evaluate } from './rules.js';
import { UserIdentity } from './user-identity.entity.js';

const refreshTokenOf = (identityId: string): string => `provider-refresh-token:${identityId}`;

/** Admission, role, attributes, groups and grants derived from the provider's claims. */
@Injectable()
export class IdpAccessService {
  constructor(
    private readonly provider: IdentityProviderService,
    private readonly profile: IdpProfileService,
    private readonly grants: IdpGrantsService,
    private readonly groups: IdpGroupsService,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /** Whether a rule admits a user who has no account. */
  isAdmitted(claims: ProviderClaims): boolean {
    return this.evaluate(claims).admitted;
  }

  /** Evaluates the rules, applies the result and stores what the next evaluation needs. Throws SignInRefused. */
  async apply(
    tx: EntityManager,
    identity: UserIdentity,
    { claims, refreshToken, isPartial = false, isExchanged = false }: ProviderTokens,
  ): Promise<void> {
    const entitled = this.evaluate(claims);
    const evaluation = { evaluatedAt: this.clock.now(), checkingAt: null };
    await this.lockBefore(tx, identity, entitled.admin);
    await this.groups.apply(tx, identity.userId, entitled.groups, entitled.unknownGroups);
    const provided = await this.applyProfile(tx, identity, entitled);
    await this.grants.apply(tx, identity.userId, entitled.grants, entitled.unknownGrants);
    await tx.update(
      UserIdentity,
      { id: identity.id },
      {
        providedRole: provided.role,
        providedAttributes: provided.attributes,
        email: claims.email,
        ...(!isExchanged && evaluation),
      },
    );
    // Without a refresh token an exchange is the only evaluation: without it the session would end.
    if (isExchanged) await tx.update(UserIdentity, { id: identity.id, refreshToken: IsNull() }, evaluation);
    if (refreshToken !== undefined) await this.storeRefreshToken(tx, { id: identity.id }, refreshToken);
    if (isPartial) await this.keepDue(tx, identity);
  }

  /** A renewal after the pause asks for the claims that are missing. Without a refresh token it cannot: it would end the session. */
  private async keepDue(tx: EntityManager, { id }: UserIdentity): Promise<void> {
    const where = { id, refreshToken: Not(IsNull()) };
    await tx.update(UserIdentity, where, { checkingAt: this.clock.now() });
  }

  /** With the token `used` for this one only if it is still stored: a sign-in may have stored another one meanwhile. */
  async storeRefreshToken(
    tx: EntityManager,
    { id, used }: { id: string; used?: Buffer },
    token: string,
  ): Promise<void> {
    const where = { id, ...(used !== undefined && { refreshToken: used }) };
    await tx.update(UserIdentity, where, { refreshToken: this.sealer.seal(refreshTokenOf(id), token) });
  }

  /** Removes the role, attributes, groups and grants that this identity provided. */
  async remove(tx: EntityManager, identity: UserIdentity): Promise<void> {
    await this.lockBefore(tx, identity, 'no');
    await this.groups.apply(tx, identity.userId, [], []);
    await this.profile.apply(tx, identity.userId, this.previousAccess(identity), {
      admin: 'no',
      attributes: {},
    });
    await this.grants.apply(tx, identity.userId, [], []);
  }

  refreshTokenOf({ id, refreshToken }: Pick<UserIdentity, 'id' | 'refreshToken'>): string | undefined {
    return refreshToken === null ? undefined : this.sealer.open(refreshTokenOf(id), refreshToken);
  }

  /** All admins are locked in one statement, before a change of groups locks one of them. */
  private async lockBefore(
    tx: EntityManager,
    identity: UserIdentity,
    admin: Entitlements['admin'],
  ): Promise<void> {
    if (!mayDemote(this.previousAccess(identity), admin)) return;
    await lockActiveAdmins(tx, identity.userId);
  }

  private evaluate(claims: ProviderClaims): Entitlements {
    return evaluate(this.provider.settings.rules, claims);
  }

  private async applyProfile(
    tx: EntityManager,
    identity: UserIdentity,
    entitled: Entitlements,
  ): Promise<Provided> {
    try {
      return await this.profile.apply(tx, identity.userId, this.previousAccess(identity), entitled);
    } catch (error) {
      if (!(error instanceof TooManyAttributes)) throw error;
      throw new SignInRefused('too_many_attributes', identity.userId, error);
    }
  }

  private previousAccess({ providedRole: role, providedAttributes: attributes }: UserIdentity) {
    return { role, attributes };
  }
}
