import { IsIn } from 'class-validator';
import { CountedListQuery } from '../../core/lists/list-query.dto.js';
import { type SortKeys, sortNames } from '../../core/lists/pagination.js';
import { IsId, OptionalField } from '../../core/validation/validators.js';
import type { ListedReport } from '../reports.queries.js';

export const reportSortKeys: SortKeys<ListedReport> = {
  name: { sql: 'name_key', of: (report) => report.nameKey },
  updated_at: { sql: 'updated_at', of: (report) => report.updatedAt.toISOString() },
};

export class ListReportsQuery extends CountedListQuery {
  /** Sort order. Prefix the field with `-` for descending order. */
  @OptionalField()
  @IsIn(sortNames(reportSortKeys))
  sort: string = 'name';

  /** Returns only reports of this workspace. */
  @OptionalField()
  @IsId()
  workspace_id?: string;
}
