import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, Repository } from 'typeorm';
import { Audit } from '../audit/audit.service.js';
import { Clock } from '../common/clock.js';
import { Cursors } from '../common/cursors.js';
import { fetchPage, likePattern, matchesQ, type Page } from '../common/pagination.js';
import { InvalidRequest } from '../common/problem.js';
import type { Principal } from '../common/principal.js';
import { Changes } from '../database/changes.service.js';
import { Database } from '../database/database.service.js';
import { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { ListMembersQuery, memberSortKeys } from './dto/list-members.dto.js';
import type { SetMemberDto } from './dto/set-member.dto.js';
import { Membership } from './membership.entity.js';
import { MembershipsService, strongest } from './memberships.service.js';
import { MemberNotFound, NotYourWorkspaceToManage } from './workspaces.errors.js';
import { WorkspacesService } from './workspaces.service.js';

export interface Member {
  user: User;
  grant: Membership;
}

/** Who may see a workspace, for those who manage it. */
@Injectable()
export class MembersService {
  constructor(
    @InjectRepository(Membership) private readonly grants: Repository<Membership>,
    private readonly workspaces: WorkspacesService,
    private readonly memberships: MembershipsService,
    private readonly users: UsersService,
    private readonly database: Database,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
    private readonly audit: Audit,
    private readonly changes: Changes,
  ) {}

  async list(
    caller: Principal,
    workspaceId: string,
    { q, ...page }: ListMembersQuery,
  ): Promise<Page<Member>> {
    await this.requireManager(caller, workspaceId);
    const query = this.grants.manager.createQueryBuilder(User, 'user').where(
      `user.id IN (SELECT user_id FROM memberships
        WHERE workspace_id = :workspaceId AND (expires_at IS NULL OR expires_at > :now))`,
      { workspaceId, now: this.clock.now() },
    );
    if (q !== undefined)
      query.andWhere(`(${matchesQ('user.name')} OR ${matchesQ('user.email')})`, { q: likePattern(q) });
    const filters = { workspaceId };
    const { items, next } = await fetchPage(
      query,
      { ...page, q, keys: memberSortKeys, filters },
      this.cursors,
    );
    const userIds = items.map(({ id }) => id);
    const grants = await this.grants.findBy({ workspaceId, userId: In(userIds) });
    const members = items.map((user) => ({ user, grant: this.effective(grants, user.id) }));
    return { items: members, next };
  }

  /** Gives somebody a grant in this workspace, or changes it. One of a manager ends with the manager's own, or before. */
  set(caller: Principal, workspaceId: string, userId: string, asked: SetMemberDto): Promise<Member> {
    const expiresAt = this.expiryOf(asked);
    return this.database.transaction(async (tx) => {
      await this.requireManager(caller, workspaceId, tx);
      const user = await this.users.get(userId, tx);
      const asGiven = await this.memberships.within(
        caller,
        [{ workspaceId, role: asked.role, expiresAt }],
        tx,
      );
      await this.memberships.grant(tx, caller, userId, asGiven);
      const grants = await tx.findBy(Membership, { workspaceId, userId });
      return { user, grant: this.effective(grants, userId) };
    });
  }

  /** Takes the grant away that was given by hand; one of the provider's goes with its claim. */
  async remove(caller: Principal, workspaceId: string, userId: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.requireManager(caller, workspaceId, tx);
      const { affected } = await tx.delete(Membership, { workspaceId, userId, source: 'manual' });
      if (affected === 0) throw new MemberNotFound();
      this.changes.publish(tx, 'rights', userId);
      await this.audit.record(tx, {
        action: 'grant_removed',
        actorId: caller.id,
        target: { type: 'user', id: userId },
        details: { workspace_id: workspaceId },
      });
    });
  }

  /** 404 for who may not even see it, 403 for who may not manage it. Changes to one workspace's members take turns. */
  private async requireManager(caller: Principal, workspaceId: string, tx?: EntityManager): Promise<void> {
    await tx?.query('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [workspaceId]);
    await this.workspaces.get(caller, workspaceId);
    const may = await this.memberships.mayEverywhere(caller, 'manager', [workspaceId], tx);
    if (!may) throw new NotYourWorkspaceToManage();
  }

  private effective(grants: readonly Membership[], userId: string): Membership {
    const now = this.clock.now();
    return strongest(
      grants.filter((grant) => grant.userId === userId),
      now,
    ) as Membership;
  }

  private expiryOf({ expires_at }: SetMemberDto): Date | null {
    if (expires_at === undefined) return null;
    const expiresAt = new Date(expires_at);
    if (expiresAt > this.clock.now()) return expiresAt;
    throw new InvalidRequest([{ pointer: '/expires_at', detail: 'expires_at must lie ahead' }]);
  }
}
