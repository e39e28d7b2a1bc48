import { CountedListQuery } from '../../core/lists/list-query.dto.js';
import { SortedBy, type SortKeys } from '../../core/lists/pagination.js';
import { IsId, OptionalField } from '../../core/validation/validators.js';
import type { RefreshStatus, ReportType } from '../report.entity.js';
import type { ListedReport } from '../reports.queries.js';

export class ReportDto {
  id!: string;
  name!: string;
  description!: string | null;
  workspace_id!: string;
  /** Id of the report in Power BI. */
  pbi_report_id!: string;
  /** Id of the dataset in Power BI; null for paginated reports. */
  pbi_dataset_id!: string | null;
  report_type!: ReportType;
  /** URL of the report in the Power BI portal. */
  web_url!: string | null;
  /** When the report's entry in the catalogue changed. For the age of its data see `data_as_of`. */
  updated_at!: Date;
  /** When the data was last refreshed; null if unknown or live. */
  data_as_of!: Date | null;
  /**
   * The last refresh of the dataset; `live` if the report queries its source directly. Null if unknown: only the datasets of
   * reports that were opened in the last 7 days are followed.
   */
  refresh_status!: RefreshStatus | null;
  /** Since when every refresh has failed; null unless the last one failed. */
  refresh_failed_since!: Date | null;

  static from(report: ListedReport): ReportDto {
    return {
      id: report.id,
      name: report.name,
      description: report.description,
      workspace_id: report.workspaceId,
      pbi_report_id: report.pbiReportId,
      pbi_dataset_id: report.pbiDatasetId,
      report_type: report.reportType,
      web_url: report.webUrl,
      updated_at: report.updatedAt,
      data_as_of: report.dataAsOf,
      refresh_status: report.refreshStatus,
      refresh_failed_since: report.refreshFailedSince,
    };
  }
}

export class ReportListDto {
  reports!: ReportDto[];
}

export const reportSortKeys: SortKeys<ListedReport> = {
  name: { sql: 'name_key', of: (report) => report.nameKey },
  updated_at: { sql: 'updated_at', of: (report) => report.updatedAt.toISOString() },
};

export class ListReportsQuery extends CountedListQuery {
  @SortedBy(reportSortKeys)
  sort: string = 'name';

  /** Returns only reports of this workspace. */
  @OptionalField()
  @IsId()
  workspace_id?: string;
}
