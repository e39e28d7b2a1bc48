import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../core/clock.js';
import { Cursors } from '../core/lists/cursors.js';
import { searchNames } from '../core/lists/name-search.js';
import { listPage, type Page, selectedBy } from '../core/lists/pagination.js';
import { InvalidRequest } from '../core/problems/problem.js';
import type { Principal } from '../core/http/principal.js';
import { DatabaseService } from '../core/database/database.service.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { ListMembersQuery, memberSortKeys } from './dto/list-members.dto.js';
import type { SetMemberDto } from './dto/set-member.dto.js';
import { Membership } from './membership.entity.js';
import { MembershipsService, effectiveGrant } from './memberships.service.js';
import { WorkspaceManagerRequired } from './workspaces.errors.js';
import { WorkspacesService } from './workspaces.service.js';

interface Member {
  user: User;
  grant: Membership;
}

/** Members of a workspace, as its managers list and change them. */
@Injectable()
export class MembersService {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly memberships: MembershipsService,
    private readonly users: UsersService,
    private readonly database: DatabaseService,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

  async list(
    caller: Principal,
    workspaceId: string,
    { q, ...page }: ListMembersQuery,
  ): Promise<Page<Member>> {
    await this.requireManager(caller, workspaceId);
    const now = this.clock.now();
    const query = this.users.select().where(
      `user.id IN (SELECT user_id FROM memberships
        WHERE workspace_id = :workspaceId AND (expires_at IS NULL OR expires_at > :now))`,
      { workspaceId, now },
    );
    searchNames(query, q, 'user.name', 'user.email');
    const filters = { workspaceId };
    const { items, next } = await listPage(
      selectedBy(query),
      { reader: caller, ...page, q, keys: memberSortKeys, filters },
      this.cursors,
    );
    const grants = await this.memberships.historyIn(workspaceId, ...items.map(({ id }) => id));
    // A grant may be removed between the two queries; its user is then no longer a member.
    const members = items.flatMap((user) => {
      const own = grants.filter(({ userId }) => userId === user.id);
      const grant = effectiveGrant(own, now);
      return grant === undefined ? [] : [{ user, grant }];
    });
    return { items: members, next };
  }

  /**
   * Grants a user a role in this workspace, or changes it. A manager's grant expires no later than the manager's own.
   * Throws WorkspaceNotFound, WorkspaceManagerRequired, InvalidRequest or UserNotFound.
   */
  async set(
    caller: Principal,
    workspaceId: string,
    userId: string,
    { role, ...asked }: SetMemberDto,
  ): Promise<Member> {
    await this.requireManager(caller, workspaceId);
    const expiresAt = this.expiryOf(asked);
    return this.edit(caller, workspaceId, async (tx) => {
      const user = await this.users.get(userId, tx);
      const [grant] = await this.memberships.capToGrantor(caller, [{ workspaceId, role, expiresAt }], tx);
      if (grant === undefined) throw new WorkspaceManagerRequired();
      const now = this.clock.now();
      await this.memberships.grant(tx, caller, userId, [grant]);
      const written: Membership = { userId, source: 'manual', createdAt: now, ...grant };
      const others = await tx.findBy(Membership, { workspaceId, userId, source: 'provider' });
      return { user, grant: effectiveGrant([written, ...others], now) ?? written };
    });
  }

  /** Removes the manual grant only; a grant from the identity provider follows its claim. Throws MemberNotFound. */
  async remove(caller: Principal, workspaceId: string, userId: string): Promise<void> {
    await this.requireManager(caller, workspaceId);
    await this.edit(caller, workspaceId, (tx) => this.memberships.remove(tx, caller, workspaceId, userId));
  }

  /**
   * Throws WorkspaceNotFound if the caller cannot see the workspace, WorkspaceManagerRequired if the caller cannot
   * manage it.
   */
  private async requireManager(caller: Principal, workspaceId: string, tx?: EntityManager): Promise<void> {
    await this.workspaces.get(caller, workspaceId, tx);
    const may = await this.memberships.hasRoleInAll(caller, 'manager', [workspaceId], tx);
    if (!may) throw new WorkspaceManagerRequired();
  }

  /**
   * Serializes changes to the members of one workspace. Rights are checked before the lock, so that only managers can
   * take it, and again under it, because the previous change may have removed them.
   */
  private edit<T>(
    caller: Principal,
    workspaceId: string,
    work: (tx: EntityManager) => Promise<T>,
  ): Promise<T> {
    const locked = async (tx: EntityManager): Promise<T> => {
      await tx.query('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [workspaceId]);
      await this.requireManager(caller, workspaceId, tx);
      return work(tx);
    };
    return this.database.contendedTransaction(locked);
  }

  private expiryOf({ expires_at }: Pick<SetMemberDto, 'expires_at'>): Date | null {
    if (expires_at === undefined) return null;
    if (expires_at > this.clock.now()) return expires_at;
    throw new InvalidRequest([{ pointer: '/expires_at', detail: 'expires_at must be in the future' }]);
  }
}
