import { IsIn } from 'class-validator';
import { CountedListQuery } from '../../core/lists/list-query.dto.js';
import { type SortKeys, sortNames } from '../../core/lists/pagination.js';
import type { VisibleWorkspace } from '../workspaces.queries.js';
import { OptionalField } from '../../core/validation/validators.js';

export const workspaceSortKeys: SortKeys<VisibleWorkspace> = {
  name: { sql: 'name_key', of: (workspace) => workspace.nameKey },
};

export class ListWorkspacesQuery extends CountedListQuery {
  /** Sort order. Prefix the field with `-` for descending order. */
  @OptionalField()
  @IsIn(sortNames(workspaceSortKeys))
  sort: string = 'name';
}
