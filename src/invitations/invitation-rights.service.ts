import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../core/clock.js';
import { InvalidRequest } from '../core/problems/problem.js';
import type { PlatformRole, Principal } from '../core/http/principal.js';
import { DatabaseService } from '../core/database/database.service.js';
import { UsersService } from '../users/users.service.js';
import type { Grant } from '../grants/grant.js';
import { AccessPolicy } from '../workspaces/access-policy.service.js';
import { futureExpiry } from '../workspaces/future-expiry.js';
import { lockWorkspaces } from '../workspaces/workspaces.queries.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import type { InviteGrantDto } from './dto/invite-user.dto.js';
import type { Invitation } from './invitation.entity.js';
import { MayNotInvite } from './invitations.errors.js';
import { grantsOf } from './invitations.queries.js';

/** The grants that an invitation still confers. */
interface Remaining {
  grants: Grant[];
  byAdmin: boolean;
}

/**
 * Limits grants to the caller's own rights: admins grant anything, managers membership of the workspaces that they
 * manage.
 */
@Injectable()
export class InvitationRightsService {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly policy: AccessPolicy,
    private readonly database: DatabaseService,
    private readonly users: UsersService,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the requested grants if the caller may give them. Throws InvalidRequest for a workspace that the caller
   * cannot see or an expiry in the past, MayNotInvite for a grant that exceeds the caller's rights.
   */
  async check(caller: Principal, role: PlatformRole, asked: readonly InviteGrantDto[]): Promise<Grant[]> {
    const ids = asked.map((grant) => grant.workspace_id.toLowerCase());
    await this.require(caller, role, ids);
    return asked.map((grant, index) => ({
      workspaceId: ids[index] as string,
      role: grant.role,
      expiresAt: futureExpiry(grant.expires_at, this.clock.now(), `/workspaces/${index}/expires_at`),
    }));
  }

  /** Checks the rights only, not the expiry dates. Throws as `check` does. */
  async require(caller: Principal, role: PlatformRole, workspaceIds: readonly string[]): Promise<void> {
    const isEmpty = workspaceIds.length === 0;
    if (caller.role !== 'admin' && (role === 'admin' || isEmpty)) throw new MayNotInvite();
    const { manager } = this.database;
    await this.requireVisible(caller, workspaceIds, manager);
    const may = await this.policy.hasRoleInAll(caller, 'manager', workspaceIds, manager);
    if (!may) throw new MayNotInvite();
  }

  /**
   * Checks the rights again and locks them, so that they cannot be removed until the transaction ends. Caps each grant
   * of a manager to the expiry of the manager's own grant. Throws MayNotInvite.
   */
  async lockGrantor(tx: EntityManager, caller: Principal, grants: readonly Grant[]): Promise<Grant[]> {
    if (caller.role !== 'admin') {
      const ids = grants.map(({ workspaceId }) => workspaceId);
      await lockWorkspaces(tx, ids);
    }
    const held = await this.policy.capToGrantor(caller, grants, tx);
    if (held.length < grants.length) throw new MayNotInvite();
    return held;
  }

  /** Admins can see every account, managers those in a workspace that they manage. */
  async canSeeAccount(tx: EntityManager, caller: Principal, userId: string): Promise<boolean> {
    return caller.role === 'admin' || (await this.policy.isManagedBy(tx, caller.id, userId));
  }

  /** The grants that their grantors may still give at acceptance; null if the invitation is no longer valid. */
  async revalidateGrants(tx: EntityManager, { id, invitedBy, role }: Invitation): Promise<Remaining | null> {
    const inviter = await this.users.getIncludingRemoved(invitedBy, tx);
    const byAdmin = inviter.status === 'active' && inviter.role === 'admin';
    const grants: Grant[] = [];
    for (const { grantedBy, workspaceId, role, expiresAt } of await grantsOf(tx, id)) {
      const giver = await this.users.getIncludingRemoved(grantedBy, tx);
      if (giver.status !== 'active') continue;
      grants.push(
        ...(await this.policy.capToGrantor(giver, [{ workspaceId, role, expiresAt, grantedBy }], tx)),
      );
    }
    // A member invitation needs a grant that is still valid, or an admin as inviter; an admin invitation needs an
    // admin.
    return !byAdmin && (role === 'admin' || grants.length === 0) ? null : { grants, byAdmin };
  }

  private async requireVisible(
    caller: Principal,
    ids: readonly string[],
    manager: EntityManager,
  ): Promise<void> {
    const visible = await this.workspaces.visibleAmong(caller, ids, manager);
    const errors = ids
      .map((id, index) => ({ id, pointer: `/workspaces/${index}/workspace_id` }))
      .filter(({ id }) => !visible.has(id))
      .map(({ pointer }) => ({ pointer, detail: 'you have no workspace with this id' }));
    if (errors.length > 0) throw new InvalidRequest(errors);
  }
}
