import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { TimesService } from '../core/database/times.service.js';
import type { Principal } from '../core/http/principal.js';
import type { Holder, Target } from '../access/grants/grant.js';
import { GrantsService } from '../access/grants/grants.service.js';
import { AccessPolicyService } from '../access/grants/access-policy.service.js';
import type { RequestedGrant } from './dto/target-grant.dto.js';
import { HoldersService } from './holders.service.js';
import { ManagedWorkspacesService } from './managed-workspaces.service.js';
import { findNamedGrant, type NamedGrant } from './target-grants.queries.js';
import { GrantNotFound, WorkspaceManagerRequired } from './workspaces.errors.js';

/** Grants of people and groups on a workspace or on one report of it, as the workspace's managers change them. */
@Injectable()
export class TargetGrantsService {
  constructor(
    private readonly managed: ManagedWorkspacesService,
    private readonly policy: AccessPolicyService,
    private readonly grants: GrantsService,
    private readonly holders: HoldersService,
    private readonly clock: Clock,
    private readonly times: TimesService,
  ) {}

  /**
   * Grants a role, or changes it. A manager's grant expires no later than the manager's own. Throws WorkspaceNotFound,
   * WorkspaceManagerRequired, OwnGrant, InvalidRequest, UserNotFound or GroupNotFound.
   */
  async set(
    caller: Principal,
    target: Target,
    holder: Holder,
    { role, expires_at }: RequestedGrant,
  ): Promise<NamedGrant> {
    await this.managed.require(caller, target.workspaceId);
    const now = this.clock.now();
    const expiresAt = await this.times.expiryOf(expires_at);
    return this.managed.edit(caller, target.workspaceId, async (tx) => {
      await this.holders.requireFound(tx, caller, holder);
      const [grant] = await this.policy.capToGrantor(caller, [{ ...target, role, expiresAt }], tx);
      if (grant === undefined) throw new WorkspaceManagerRequired();
      await this.policy.requireOthers(caller, holder, [grant], tx);
      await this.grants.set(tx, caller, holder, [grant]);
      // A grant that has expired in the meantime is still what was written.
      const written = await findNamedGrant(tx, { target, now }, holder);
      if (written === null) throw new GrantNotFound();
      return written;
    });
  }

  /** Removes the manual grant only; a grant of a rule follows its claim. Throws GrantNotFound. */
  async remove(caller: Principal, target: Target, holder: Holder): Promise<void> {
    await this.managed.edit(caller, target.workspaceId, async (tx) => {
      const isRemoved = await this.grants.remove(tx, caller, holder, [target]);
      if (!isRemoved) throw new GrantNotFound();
    });
  }
}
