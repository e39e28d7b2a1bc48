import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { AccessPolicyService } from '../access/grants/access-policy.service.js';
import type { Principal } from '../core/http/principal.js';
import { DatabaseService } from '../core/database/database.service.js';
import { canonicalEmail } from '../core/validation/email-address.js';
import { lockUsers } from '../users/users.queries.js';
import { UsersService } from '../users/users.service.js';
import type { InviteUserDto } from './dto/invite-user.dto.js';
import { type Invited, InvitationIssuanceService } from './invitation-issuance.service.js';
import { InvitationAccessService } from './invitation-access.service.js';
import { InvitationRightsService } from './invitation-rights.service.js';
import { AlreadyHasAccess, UserIsDisabled } from './invitations.errors.js';
import { lockAddress } from './invitations.queries.js';

@Injectable()
export class InvitationsService {
  constructor(
    private readonly database: DatabaseService,
    private readonly users: UsersService,
    private readonly access: InvitationAccessService,
    private readonly rights: InvitationRightsService,
    private readonly policy: AccessPolicyService,
    private readonly issuance: InvitationIssuanceService,
  ) {}

  /**
   * Creates an invitation, renews a pending one, or gives the access at once to an account that the caller may see. A
   * manager who may not see the account gets a new invitation as for any other address. Throws InvalidRequest,
   * MayNotInvite, OwnGrant, UserIsDisabled, AlreadyHasAccess or TooManyMails. `isBulk` selects the limit of mails.
   */
  async invite(
    caller: Principal,
    { workspaces, reports, groups, ...body }: InviteUserDto,
    { isBulk = false } = {},
  ): Promise<Invited> {
    const requested = await this.rights.check(caller, body.role, { workspaces, reports, groups });
    const email = canonicalEmail(body.email);
    return this.database.contendedTransaction(async (tx) => {
      await lockAddress(tx, email);
      const input = { ...body, email, isBulk, access: await this.rights.lockGrantor(tx, caller, requested) };
      const user = await this.users.findByEmail(input.email, tx);
      if (user !== null)
        await this.policy.requireOthers(caller, { type: 'user', id: user.id }, input.access.grants, tx);
      // Also without an account, so that the time does not show whether there is one.
      const canSee =
        caller.role === 'admin' || (await this.policy.isManagedBy(tx, caller.id, user?.id ?? NIL));
      if (user !== null && !canSee) {
        // The new invitation refers to the account, which is locked before the open ones. None, if it was erased meanwhile.
        const [userId = null] = await lockUsers(tx, [user.id], 'KEY SHARE');
        return this.issuance.createOrRenew(tx, caller, { ...input, userId });
      }
      if (user?.status === 'active') {
        const changes = await this.access.give(tx, caller, user.id, input.access);
        if (changes === 0) throw new AlreadyHasAccess();
        return this.issuance.createAccepted(tx, caller, user, input);
      }
      if (user !== null && caller.role !== 'admin') throw new UserIsDisabled();
      return this.issuance.createOrRenew(tx, caller, { ...input, userId: null });
    });
  }
}
