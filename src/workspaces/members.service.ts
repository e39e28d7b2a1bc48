import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { Cursors } from '../core/lists/cursors.js';
import { searchNames } from '../core/lists/name-search.js';
import { listPage, type Page, selectedBy } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { ListMembersQuery, memberSortKeys } from './dto/list-members.dto.js';
import type { SetMemberDto } from './dto/set-member.dto.js';
import { directMembersOf } from '../grants/grants.queries.js';
import { GrantsService } from '../grants/grants.service.js';
import type { StoredGrant } from '../grants/grant.js';
import { AccessPolicy, effectiveGrant } from './access-policy.service.js';
import { MemberNotFound, WorkspaceManagerRequired } from './workspaces.errors.js';
import { futureExpiry } from './future-expiry.js';
import { ManagedWorkspaces } from './managed-workspaces.service.js';

interface Member {
  user: User;
  grant: Pick<StoredGrant, 'role' | 'source' | 'expiresAt'>;
}

/** Members of a workspace, as its managers list and change them. */
@Injectable()
export class MembersService {
  constructor(
    private readonly managed: ManagedWorkspaces,
    private readonly policy: AccessPolicy,
    private readonly grants: GrantsService,
    private readonly users: UsersService,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

  async list(
    caller: Principal,
    workspaceId: string,
    { q, ...page }: ListMembersQuery,
  ): Promise<Page<Member>> {
    await this.managed.require(caller, workspaceId);
    const now = this.clock.now();
    const query = this.users
      .select()
      .where(`user.id IN (${directMembersOf(':workspaceId', ':now')})`, { workspaceId, now });
    searchNames(query, q, 'user.name', 'user.email');
    const filters = { workspaceId };
    const { items, next } = await listPage(
      selectedBy(query),
      { reader: caller, ...page, q, keys: memberSortKeys, filters },
      this.cursors,
    );
    const grants = await this.policy.ownGrants(
      workspaceId,
      items.map(({ id }) => id),
    );
    // A grant may be removed between the two queries; its user is then no longer a member.
    const members = items.flatMap((user) => {
      const own = grants.filter(({ holderId }) => holderId === user.id);
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
    { role, expires_at }: SetMemberDto,
  ): Promise<Member> {
    await this.managed.require(caller, workspaceId);
    const expiresAt = futureExpiry(expires_at, this.clock.now());
    return this.managed.edit(caller, workspaceId, async (tx) => {
      const user = await this.users.get(userId, tx);
      const [grant] = await this.policy.capToGrantor(caller, [{ workspaceId, role, expiresAt }], tx);
      if (grant === undefined) throw new WorkspaceManagerRequired();
      await this.grants.set(tx, caller, { type: 'user', id: userId }, [grant]);
      const own = await this.policy.ownGrants(workspaceId, [userId], tx);
      return { user, grant: effectiveGrant(own, this.clock.now()) ?? { ...grant, source: 'manual' } };
    });
  }

  /** Removes the manual grant only; a grant from the identity provider follows its claim. Throws MemberNotFound. */
  async remove(caller: Principal, workspaceId: string, userId: string): Promise<void> {
    const holder = { type: 'user', id: userId } as const;
    await this.managed.edit(caller, workspaceId, async (tx) => {
      const isRemoved = await this.grants.remove(tx, caller, holder, { workspaceId });
      if (!isRemoved) throw new MemberNotFound();
    });
  }
}
