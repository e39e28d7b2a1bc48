import { Transform } from 'class-transformer';
import { IsBoolean, IsIn } from 'class-validator';
import { flag, CountedListQuery, ListQuery } from '../../../core/lists/list-query.dto.js';
import { type SortKeys, sortNames } from '../../../core/lists/pagination.js';
import { OptionalField } from '../../../core/validation/validators.js';
import type { CountedGroup, GroupMember } from '../groups.queries.js';

export const groupSortKeys: SortKeys<CountedGroup> = {
  name: { sql: 'name_key', of: (group) => group.nameKey },
};

export class ListGroupsQuery extends CountedListQuery {
  /** Sort order. Prefix the field with `-` for descending order. */
  @OptionalField()
  @IsIn(sortNames(groupSortKeys))
  sort: string = 'name';
}

export const groupMemberSortKeys: SortKeys<GroupMember> = {
  name: { sql: 'name_key', of: (member) => member.nameKey },
};

export class ListGroupMembersQuery extends ListQuery {
  /** Sort order. Prefix the field with `-` for descending order. */
  @OptionalField()
  @IsIn(sortNames(groupMemberSortKeys))
  sort: string = 'name';

  /** Lists all people of the group and of the groups in it, instead of the direct members. */
  @OptionalField()
  @Transform(flag)
  @IsBoolean({ message: 'effective must be true or false' })
  effective: boolean = false;
}
