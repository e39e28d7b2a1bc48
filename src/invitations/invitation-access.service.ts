import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../core/http/principal.js';
import { GrantsService } from '../access/grants/grants.service.js';
import { UserGroupsService } from '../access/groups/user-groups.service.js';
import { UsersService } from '../users/users.service.js';
import type { Access } from './pending-access.queries.js';

/** Gives a user what an invitation confers. Callers check the rights. */
@Injectable()
export class InvitationAccessService {
  constructor(
    private readonly grants: GrantsService,
    private readonly groups: UserGroupsService,
    private readonly users: UsersService,
  ) {}

  /** Returns the number of grants and group memberships that changed. */
  async give(
    tx: EntityManager,
    by: Pick<Principal, 'id'>,
    userId: string,
    { grants, groups }: Access,
  ): Promise<number> {
    const joined = await this.groups.add(tx, by, userId, groups);
    return joined + (await this.grants.set(tx, by, { type: 'user', id: userId }, grants));
  }

  /** For an admin's invitation as an admin. */
  async makeAdmin(tx: EntityManager, userId: string): Promise<void> {
    await this.users.update(tx, { id: userId }, userId, { role: 'admin' });
  }
}
