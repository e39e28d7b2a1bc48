import { PartialType } from '#openapi';
import { MaxLength } from 'class-validator';
import { CountedListQuery, Flag, ListQuery } from '../../../core/lists/list-query.dto.js';
import { SortedBy, type SortKeys } from '../../../core/lists/pagination.js';
import { IsName, IsReadableText, Nullable, OptionalField } from '../../../core/validation/validators.js';
import type { GroupSource } from '../group.entity.js';
import type { CountedGroup, GroupMember } from '../groups.queries.js';
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

export const groupSortKeys: SortKeys<CountedGroup> = {
  name: { sql: 'name_key', of: (group) => group.nameKey },
};

export class ListGroupsQuery extends CountedListQuery {
  @SortedBy(groupSortKeys)
  sort: string = 'name';
}

export const groupMemberSortKeys: SortKeys<GroupMember> = {
  name: { sql: 'name_key', of: (member) => member.nameKey },
};

export class ListGroupMembersQuery extends ListQuery {
  @SortedBy(groupMemberSortKeys)
  sort: string = 'name';

  /** Lists all people of the group and of the groups in it, instead of the direct members. */
  @Flag()
  effective: boolean = false;
}

const MAX_DESCRIPTION = 1000;

export class CreateGroupDto {
  /** Unique, ignoring case. Spaces around it are removed. */
  @IsName()
  name!: string;

  /** One line; null for none. */
  @OptionalField()
  @Nullable()
  @IsReadableText()
  @MaxLength(MAX_DESCRIPTION)
  description?: string | null;
}

/** Omitted properties stay unchanged. */
export class UpdateGroupDto extends PartialType(CreateGroupDto, { skipNullProperties: false }) {}
