import type { GroupSource } from '../group.entity.js';
import type { CountedGroup } from '../groups.queries.js';
import type { GroupOfUser } from '../user-groups.service.js';

export class GroupDto {
  id!: string;
  name!: string;
  description!: string | null;
  /** `manual` groups are managed here, others by the identity provider's rules or by SCIM. */
  source!: GroupSource;
  /** Number of people and service accounts in the group and in the groups in it. */
  member_count!: number;
  created_at!: Date;

  static from(group: CountedGroup): GroupDto {
    return {
      id: group.id,
      name: group.name,
      description: group.description,
      source: group.source,
      member_count: group.memberCount,
      created_at: group.createdAt,
    };
  }
}

export class GroupListDto {
  groups!: GroupDto[];
}

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
