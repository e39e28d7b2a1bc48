import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../core/http/principal.js';
import type { Holder } from '../access/grants/grant.js';
import { GroupNotFound } from '../access/groups/groups.errors.js';
import { findGroups } from '../access/groups/groups.queries.js';
import { UserNotFound } from '../users/users.errors.js';
import { lockUsers } from '../users/users.queries.js';
import { AccessPolicyService } from '../access/grants/access-policy.service.js';

/** The people and groups to which callers may grant access. */
@Injectable()
export class HoldersService {
  constructor(private readonly policy: AccessPolicyService) {}

  /**
   * Throws UserNotFound or GroupNotFound unless the caller may find the holder: admins all, others those who share a
   * workspace with them. A person who is found is not erased until the transaction ends.
   */
  async requireFound(tx: EntityManager, caller: Principal, { type, id }: Holder): Promise<void> {
    // The right first, so that a foreign and an unknown id cost the same.
    const mayFind =
      caller.role === 'admin' || (await this.policy.sharesWorkspace(tx, caller.id, { type, id }));
    const exists = type === 'user' ? existsUser : existsGroup;
    if (mayFind && (await exists(tx, id, caller.id))) return;
    throw type === 'user' ? new UserNotFound() : new GroupNotFound();
  }
}

/** Locks the caller, too, to whom the grant will refer: users are locked by id, in one statement. */
const existsUser = async (tx: EntityManager, id: string, callerId: string): Promise<boolean> =>
  (await lockUsers(tx, [id, callerId], 'KEY SHARE')).includes(id);
const existsGroup = async (tx: EntityManager, id: string): Promise<boolean> =>
  (await findGroups(tx, [id])).length > 0;
