import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
import { InvalidRequest } from '../common/problem.js';
import type { PlatformRole, Principal } from '../common/principal.js';
import { type Grant, MembershipsService } from '../workspaces/memberships.service.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import type { InviteGrantDto } from './dto/invite-user.dto.js';
import { MayNotInvite } from './invitations.errors.js';

/** Nobody gives more than they have: admins anything, managers membership of the workspaces that they manage. */
@Injectable()
export class InvitationRights {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly memberships: MembershipsService,
    private readonly clock: Clock,
  ) {}

  /**
   * The grants that were asked for, when the caller may give them. Throws InvalidRequest for a workspace that the
   * caller cannot see or a date that has passed, MayNotInvite for what is beyond the caller's rights.
   */
  async check(caller: Principal, role: PlatformRole, asked: readonly InviteGrantDto[]): Promise<Grant[]> {
    const ids = asked.map((grant) => grant.workspace_id.toLowerCase());
    await this.require(caller, role, ids);
    return asked.map((grant, index) => ({
      workspaceId: ids[index] as string,
      role: grant.role,
      expiresAt: this.expiryOf(grant, index),
    }));
  }

  /** The rights alone, whatever the dates say. Throws as `check` does. */
  async require(caller: Principal, role: PlatformRole, workspaceIds: readonly string[]): Promise<void> {
    const isEmpty = workspaceIds.length === 0;
    if (caller.role !== 'admin' && (role === 'admin' || isEmpty)) throw new MayNotInvite();
    await this.requireVisible(caller, workspaceIds);
    if (!(await this.memberships.mayEverywhere(caller, 'manager', workspaceIds))) throw new MayNotInvite();
  }

  /**
   * The same where it is acted on: nobody can take the caller's rights away until this transaction is over. What a
   * manager gives ends with the manager's own time. Throws MayNotInvite.
   */
  async hold(tx: EntityManager, caller: Principal, grants: readonly Grant[]): Promise<Grant[]> {
    if (caller.role !== 'admin') {
      const ids = grants.map(({ workspaceId }) => workspaceId);
      await tx.query('SELECT FROM workspaces WHERE id = ANY($1) ORDER BY id FOR SHARE', [ids]);
    }
    const held = await this.memberships.within(caller, grants, tx);
    if (held.length < grants.length) throw new MayNotInvite();
    return held;
  }

  private async requireVisible(caller: Principal, ids: readonly string[]): Promise<void> {
    const visible = await this.workspaces.visibleAmong(caller, ids);
    const errors = ids
      .map((id, index) => ({ id, pointer: `/workspaces/${index}/workspace_id` }))
      .filter(({ id }) => !visible.has(id))
      .map(({ pointer }) => ({ pointer, detail: 'you have no workspace of this id' }));
    if (errors.length > 0) throw new InvalidRequest(errors);
  }

  private expiryOf({ expires_at }: InviteGrantDto, index: number): Date | null {
    if (expires_at === undefined || expires_at === null) return null;
    const expiresAt = new Date(expires_at);
    if (expiresAt > this.clock.now()) return expiresAt;
    throw new InvalidRequest([
      { pointer: `/workspaces/${index}/expires_at`, detail: 'expires_at must lie ahead' },
    ]);
  }
}
