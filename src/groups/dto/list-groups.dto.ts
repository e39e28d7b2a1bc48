import { IsIn } from 'class-validator';
import { ListQuery } from '../../core/lists/list-query.dto.js';
import { type SortKeys, sortNames } from '../../core/lists/pagination.js';
import { OptionalField } from '../../core/validation/validators.js';
import type { CountedGroup } from '../groups.queries.js';

export const groupSortKeys: SortKeys<CountedGroup> = {
  name: { sql: 'name_key', of: (group) => group.nameKey },
};

export class ListGroupsQuery extends ListQuery {
  /** Sort order. Prefix the field with `-` for descending order. */
  @OptionalField()
  @IsIn(sortNames(groupSortKeys))
  sort: string = 'name';
}
