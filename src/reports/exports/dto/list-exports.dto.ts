import { OmitType } from '#openapi';
import { IsIn } from 'class-validator';
import { ListQuery } from '../../../core/lists/list-query.dto.js';
import { type SortKeys, sortNames } from '../../../core/lists/pagination.js';
import { OptionalField } from '../../../core/validation/validators.js';
import type { ReportExport } from '../report-export.entity.js';

export const exportSortKeys: SortKeys<ReportExport> = {
  created_at: { sql: 'export.createdAt', of: (row) => row.createdAt.toISOString() },
};

export class ListExportsQuery extends OmitType(ListQuery, ['q']) {
  /** Sort order. Prefix the field with `-` for descending order. */
  @OptionalField()
  @IsIn(sortNames(exportSortKeys))
  sort: string = '-created_at';
}
