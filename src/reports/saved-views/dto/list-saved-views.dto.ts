import { IsIn } from 'class-validator';
import { ListQuery } from '../../../core/lists/list-query.dto.js';
import { type SortKeys, sortNames } from '../../../core/lists/pagination.js';
import { OptionalField } from '../../../core/validation/validators.js';
import type { SavedView } from '../saved-view.entity.js';

export const savedViewSortKeys: SortKeys<SavedView> = {
  name: { sql: 'view.nameKey', of: (view) => view.nameKey },
  created_at: { sql: 'view.createdAt', of: (view) => view.createdAt.toISOString() },
};

export class ListSavedViewsQuery extends ListQuery {
  /** Sort order. Prefix the field with `-` for descending order. */
  @OptionalField()
  @IsIn(sortNames(savedViewSortKeys))
  sort: string = 'name';
}
