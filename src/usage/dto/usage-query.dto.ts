import { IntersectionType, OmitType } from '#openapi';
import { IsIn } from 'class-validator';
import { Flag, ListQuery, WholeNumber } from '../../core/lists/list-query.dto.js';
import { SortedBy } from '../../core/lists/pagination.js';
import { IsTime } from '../../core/validation/times.js';
import { IsId, OptionalField } from '../../core/validation/validators.js';
import { type Bucket, buckets } from '../period.js';
import { reportSortKeys } from '../report-usage.queries.js';
import { unusedSortKeys, workspaceSortKeys } from '../adoption.queries.js';

/** Period and people of every request for figures. */
export class ExportUsageQuery {
  /**
   * First day of the period: `YYYY-MM-DD` in `USAGE_TIME_ZONE` or RFC 3339 with a zone, whose day counts. Days beyond the
   * retention are clipped: see `from` in the response.
   */
  @OptionalField()
  @IsTime()
  from?: string;

  /**
   * The day after the last one: `YYYY-MM-DD` in `USAGE_TIME_ZONE` or RFC 3339 with a zone, whose day is included. The default is
   * tomorrow.
   */
  @OptionalField()
  @IsTime()
  to?: string;

  /** Number of days before `to`, instead of `from`. The default is 30. */
  @WholeNumber(1, 3700)
  days?: number;

  /** Excludes what admins opened. */
  @Flag()
  exclude_admins: boolean = false;
}

export class UsageQuery extends ExportUsageQuery {
  /** Number of days before `to`, instead of `from`. The default is 30, and 1 with `bucket=hour`. */
  @WholeNumber(1, 3700)
  override days?: number;

  /** Length of `buckets`. `hour` is available for at most 7 days whose single views still exist; weeks begin on Monday. */
  @OptionalField()
  @IsIn(buckets)
  bucket: Bucket = 'day';
}

const groupBuckets = ['day', 'week', 'month'] as const;
type GroupBucket = (typeof groupBuckets)[number];

export class GroupUsageQuery extends ExportUsageQuery {
  /** Length of `buckets`; weeks begin on Monday. Hours are not available: few people open reports in the same one. */
  @OptionalField()
  @IsIn(groupBuckets)
  bucket: GroupBucket = 'day';
}

export class ReportUsageQuery extends IntersectionType(ListQuery, ExportUsageQuery) {
  @SortedBy(reportSortKeys)
  sort: string = '-views';

  /** Returns only reports of this workspace. */
  @OptionalField()
  @IsId()
  workspace_id?: string;
}

export class WorkspaceUsageListQuery extends IntersectionType(ListQuery, ExportUsageQuery) {
  @SortedBy(workspaceSortKeys)
  sort: string = '-views';
}

export class UnusedQuery extends OmitType(ListQuery, ['q']) {
  /** Returns reports that exist for this number of days and were not opened in them. */
  @WholeNumber(1, 3700)
  days: number = 90;

  @SortedBy(unusedSortKeys)
  sort: string = 'name';

  /** Returns only reports of this workspace. */
  @OptionalField()
  @IsId()
  workspace_id?: string;
}
