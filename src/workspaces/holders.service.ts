import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../core/http/principal.js';
import type { Holder } from '../access/grants/grant.js';
import { GroupNotFound } from '../access/groups/groups.errors.js';
import { findGroups } from '../access/groups/groups.queries.js';
import { UserNotFound } from '../users/users.errors.js';
import { UsersService } from '../users/users.service.js';
import { AccessPolicyService } from '../access/grants/access-policy.service.js';

/** The people and groups to which callers may grant access. */
@Injectable()
export class HoldersService {
  constructor(
    private readonly users: UsersService,
    private readonly policy: AccessPolicyService,
  ) {}

  /**
   * Throws UserNotFound or GroupNotFound unless the caller may find the holder: admins all, others those who share a
   * workspace with them.
   */
  async requireFound(tx: EntityManager, caller: Principal, { type, id }: Holder): Promise<void> {
    const exists =
      type === 'user' ? (await this.users.find(id, tx)) !== null : (await findGroups(tx, [id])).length > 0;
    const isFound =
      exists && (caller.role === 'admin' || (await this.policy.sharesWorkspace(tx, caller.id, { type, id })));
    if (isFound) return;
    throw type === 'user' ? new UserNotFound() : new GroupNotFound();
  }
}
