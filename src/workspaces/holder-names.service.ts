import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../core/http/principal.js';
import type { Holder, StoredGrant } from '../grants/grant.js';
import { GroupNotFound } from '../groups/groups.errors.js';
import { findGroups } from '../groups/groups.queries.js';
import { UserNotFound } from '../users/users.errors.js';
import { UsersService } from '../users/users.service.js';
import { AccessPolicy } from './access-policy.service.js';
import type { NamedGrant } from './dto/target-grant.dto.js';

/** The people and groups that hold grants. */
@Injectable()
export class HolderNames {
  constructor(
    private readonly users: UsersService,
    private readonly policy: AccessPolicy,
  ) {}

  /** Adds the names of holders and grantors. */
  async describe(manager: EntityManager, grants: readonly StoredGrant[]): Promise<NamedGrant[]> {
    const users = grants.flatMap(({ holderType, holderId, grantedBy }) => [
      ...(holderType === 'user' ? [holderId] : []),
      ...(grantedBy === null ? [] : [grantedBy]),
    ]);
    const groups = grants.filter(({ holderType }) => holderType === 'group').map(({ holderId }) => holderId);
    const found = [...(await this.users.describe(users, manager)), ...(await findGroups(manager, groups))];
    const names = new Map(found.map(({ id, name }) => [id, name]));
    return grants.map((grant) => ({
      grant,
      holder: { type: grant.holderType, id: grant.holderId, name: names.get(grant.holderId) ?? '' },
      grantor:
        grant.grantedBy === null ? null : { id: grant.grantedBy, name: names.get(grant.grantedBy) ?? '' },
    }));
  }

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
