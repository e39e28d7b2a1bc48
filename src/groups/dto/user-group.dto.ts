import type { GroupSource } from '../group.entity.js';
import type { GroupOfUser } from '../user-groups.service.js';

export class UserGroupDto {
  id!: string;
  name!: string;
  /** `manual` groups are managed here, others by the identity provider's rules or by SCIM. */
  source!: GroupSource;
  /** Names of the groups below this one, down to the one that contains the user directly; empty for a direct member. */
  path!: string[];

  static from({ id, name, source, path }: GroupOfUser): UserGroupDto {
    return { id, name, source, path };
  }
}

export class UserGroupListDto {
  groups!: UserGroupDto[];
}
