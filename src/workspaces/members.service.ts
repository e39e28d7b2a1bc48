import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import { Cursors } from '../core/lists/cursors.js';
import { nameKeyOf } from '../core/lists/fold-name.js';
import { searchPeople } from '../core/lists/person-search.js';
import { listPage, type Page, selectedBy } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import type { User } from '../users/user.entity.js';
import { emailOf } from '../users/users.queries.js';
import { UsersService } from '../users/users.service.js';
import { ListMembersQuery, memberSortKeys, type SetMemberDto } from './dto/member.dto.js';
import { directMembersOf } from '../access/grants/grants.queries.js';
import { findMembers } from '../access/grants/stored-grants.queries.js';
import type { Grant } from '../access/grants/grant.entity.js';
import { effectiveGrant } from '../access/grants/access-policy.service.js';
import { GrantNotFound, MemberNotFound } from './workspaces.errors.js';
import { ManagedWorkspacesService } from './managed-workspaces.service.js';
import { TargetGrantsService } from './target-grants.service.js';

interface Member {
  user: User;
  grant: Pick<Grant, 'role' | 'source' | 'expiresAt'>;
}

/** Members of a workspace, as its managers list and change them. */
@Injectable()
export class MembersService {
  constructor(
    private readonly managed: ManagedWorkspacesService,
    private readonly database: DatabaseService,
    private readonly targets: TargetGrantsService,
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
    searchPeople(query, q, { name: nameKeyOf('user.name'), email: emailOf('user.') });
    const filters = { workspaceId };
    const { items, next } = await listPage(
      selectedBy(query),
      { reader: caller, ...page, q, keys: memberSortKeys, filters },
      this.cursors,
    );
    const grants = await findMembers(
      this.database.manager,
      workspaceId,
      items.map(({ id }) => id),
    );
    // A grant may be removed between the two queries; its user is then no longer a member.
    const members = items.flatMap((user) => {
      const own = grants.filter(({ userId }) => userId === user.id);
      const grant = effectiveGrant(own, now);
      return grant === undefined ? [] : [{ user, grant }];
    });
    return { items: members, next };
  }

  /**
   * Grants a user a role in this workspace, or changes it. Throws as TargetGrantsService.set does.
   */
  async set(
    caller: Principal,
    workspaceId: string,
    userId: string,
    requested: SetMemberDto,
  ): Promise<Member> {
    const written = await this.targets.set(caller, { workspaceId }, { type: 'user', id: userId }, requested);
    const user = await this.users.get(userId);
    const own = await findMembers(this.database.manager, workspaceId, [userId]);
    return { user, grant: effectiveGrant(own, this.clock.now()) ?? written };
  }

  /** Removes the manual grant only; a grant from the identity provider follows its claim. Throws MemberNotFound. */
  async remove(caller: Principal, workspaceId: string, userId: string): Promise<void> {
    try {
      await this.targets.remove(caller, { workspaceId }, { type: 'user', id: userId });
    } catch (error) {
      throw error instanceof GrantNotFound ? new MemberNotFound() : error;
    }
  }
}
