import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import type { Principal } from '../core/http/principal.js';
import type { Holder, StoredGrant, Target } from '../grants/grant.js';
import { GrantsService } from '../grants/grants.service.js';
import { findGrantsOn } from '../grants/stored-grants.queries.js';
import { AccessPolicy } from './access-policy.service.js';
import type { NamedGrant, RequestedGrant } from './dto/target-grant.dto.js';
import { futureExpiry } from './future-expiry.js';
import { HolderNames } from './holder-names.service.js';
import { ManagedWorkspaces } from './managed-workspaces.service.js';
import { GrantNotFound, WorkspaceManagerRequired } from './workspaces.errors.js';

/** Grants of people and groups on a workspace or on one report of it, as the workspace's managers list and change them. */
@Injectable()
export class TargetGrantsService {
  constructor(
    private readonly managed: ManagedWorkspaces,
    private readonly policy: AccessPolicy,
    private readonly grants: GrantsService,
    private readonly holders: HolderNames,
    private readonly database: DatabaseService,
    private readonly clock: Clock,
  ) {}

  /** Active grants, oldest first. Throws WorkspaceNotFound or WorkspaceManagerRequired. */
  async list(caller: Principal, target: Target): Promise<NamedGrant[]> {
    await this.managed.require(caller, target.workspaceId);
    const { manager } = this.database;
    return this.holders.describe(manager, await findGrantsOn(manager, target, this.clock.now()));
  }

  /**
   * Grants a role, or changes it. A manager's grant expires no later than the manager's own. Throws WorkspaceNotFound,
   * WorkspaceManagerRequired, InvalidRequest, UserNotFound or GroupNotFound.
   */
  async set(
    caller: Principal,
    target: Target,
    holder: Holder,
    { role, expires_at }: RequestedGrant,
  ): Promise<NamedGrant> {
    await this.managed.require(caller, target.workspaceId);
    const expiresAt = futureExpiry(expires_at, this.clock.now());
    return this.managed.edit(caller, target.workspaceId, async (tx) => {
      await this.holders.requireFound(tx, caller, holder);
      const [grant] = await this.policy.capToGrantor(caller, [{ ...target, role, expiresAt }], tx);
      if (grant === undefined) throw new WorkspaceManagerRequired();
      await this.grants.set(tx, caller, holder, [grant]);
      return this.written(tx, target, holder);
    });
  }

  /** Removes the manual grant only; a grant of a rule follows its claim. Throws GrantNotFound. */
  async remove(caller: Principal, target: Target, holder: Holder): Promise<void> {
    await this.managed.edit(caller, target.workspaceId, async (tx) => {
      const isRemoved = await this.grants.remove(tx, caller, holder, target);
      if (!isRemoved) throw new GrantNotFound();
    });
  }

  private async written(tx: EntityManager, target: Target, { type, id }: Holder): Promise<NamedGrant> {
    const isWritten = ({ holderType, holderId, source }: StoredGrant): boolean =>
      holderType === type && holderId === id && source === 'manual';
    const [grant] = (await findGrantsOn(tx, target, this.clock.now())).filter(isWritten);
    const [named] = await this.holders.describe(tx, grant === undefined ? [] : [grant]);
    if (named === undefined) throw new GrantNotFound();
    return named;
  }
}
