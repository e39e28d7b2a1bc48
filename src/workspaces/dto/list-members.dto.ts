import { IsIn } from 'class-validator';
import { ListQuery } from '../../core/lists/list-query.dto.js';
import { OptionalField } from '../../core/validation/validators.js';
import { type SortKeys, sortNames } from '../../core/lists/pagination.js';
import type { User } from '../../users/user.entity.js';

export const memberSortKeys: SortKeys<User> = {
  email: { sql: 'user.email', of: (user) => user.email },
};

export class ListMembersQuery extends ListQuery {
  /** Sort order. Prefix the field with `-` for descending order. */
  @OptionalField()
  @IsIn(sortNames(memberSortKeys))
  sort: string = 'email';
}
