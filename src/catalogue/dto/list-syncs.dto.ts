import { OmitType } from '#openapi';
import { IsIn } from 'class-validator';
import { ListQuery } from '../../core/lists/list-query.dto.js';
import { type SortKeys, sortNames } from '../../core/lists/pagination.js';
import type { SyncRun } from '../sync-run.entity.js';
import { OptionalField } from '../../core/validation/validators.js';

export const syncSortKeys: SortKeys<SyncRun> = {
  queued_at: { sql: 'run.queuedAt', of: (run) => run.queuedAt.toISOString() },
};

export class ListSyncsQuery extends OmitType(ListQuery, ['q']) {
  /** Sort order. Prefix the field with `-` for descending order. */
  @OptionalField()
  @IsIn(sortNames(syncSortKeys))
  sort: string = '-queued_at';
}
