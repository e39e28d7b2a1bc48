import type { ReportType } from '../report.entity.js';
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
  updated_at!: Date;

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
    };
  }
}

export class ReportListDto {
  reports!: ReportDto[];
}
