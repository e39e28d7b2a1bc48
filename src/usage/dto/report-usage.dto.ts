import { FiguresDto, figuresOf, summaryOf, UsageSummaryDto } from './figures.dto.js';
import type { CountedPage } from '../figures.queries.js';
import type { ReportViewer } from '../people-usage.queries.js';
import type { ReportDetails, UsedReport } from '../report-usage.queries.js';
import type { UnusedReport } from '../adoption.queries.js';
import type { Summary } from '../usage-summary.service.js';

export type ListedReportUsage = Omit<UsedReport, 'figure'> &
  Omit<ReportDetails, 'previousViews'> & { previousViews: number | null };

export class ReportUsageDto extends FiguresDto {
  report_id!: string;
  name!: string;
  workspace_id!: string;
  workspace_name!: string;
  /** Views of the period of the same length before; null if it begins before the retention. */
  previous_views!: number | null;
  /**
   * Views of the days of the period, the oldest first; beyond 31 days of weeks, or several of them, where the oldest days that
   * fill none are left out.
   */
  views_over_time!: number[];
  /** When the report was last opened, or an embed token last issued. */
  last_viewed_at!: Date | null;

  static from(row: ListedReportUsage): ReportUsageDto {
    return {
      report_id: row.id,
      name: row.name,
      workspace_id: row.workspaceId,
      workspace_name: row.workspaceName,
      ...figuresOf(row),
      previous_views: row.previousViews,
      views_over_time: row.viewsOverTime,
      last_viewed_at: row.lastViewedAt,
    };
  }
}

export class ReportUsageListDto {
  reports!: ReportUsageDto[];
}

export class PageCountDto {
  /** Id of the page in Power BI. */
  page!: string;
  /** Display name as most viewers of its last day saw it; null if no browser reported one. */
  name!: string | null;
  views!: number;

  static from({ page, name, views }: CountedPage): PageCountDto {
    return { page, name, views };
  }
}

export class PageCountListDto {
  pages!: PageCountDto[];
}

export class ReportViewerDto {
  user_id!: string;
  name!: string;
  views!: number;
  seconds!: number;
  last_viewed_at!: Date;

  static from({ id, visible_ms, ...viewer }: ReportViewer): ReportViewerDto {
    return { user_id: id, seconds: Math.round(visible_ms / 1000), ...viewer };
  }
}

export interface DetailedReportUsage {
  report: { id: string; name: string; workspaceId: string; retiredAt: Date | null };
  lastViewedAt: Date | null;
  summary: Summary;
  pages: CountedPage[];
  /** Null if the caller does not see people, or they have no names, or no longer. */
  people: ReportViewer[] | null;
  peopleFrom: string | null;
}

export class ReportUsageDetailDto extends UsageSummaryDto {
  report_id!: string;
  name!: string;
  workspace_id!: string;
  /** When the report was retired, because it no longer exists in Power BI; null for one that exists. */
  retired_at!: Date | null;
  last_viewed_at!: Date | null;
  pages!: PageCountDto[];
  /**
   * The 100 people with the most views; null if you do not see people, if `USAGE_PEOPLE` is not `named`, and in a period that
   * ends before the retention of people, `USAGE_RAW_DAYS`.
   */
  people!: ReportViewerDto[] | null;
  /** The first day whose people are stored, if the period begins before it and you see people. */
  people_from!: string | null;

  static of({
    report,
    lastViewedAt,
    summary,
    pages,
    people,
    peopleFrom,
  }: DetailedReportUsage): ReportUsageDetailDto {
    return {
      report_id: report.id,
      name: report.name,
      workspace_id: report.workspaceId,
      retired_at: report.retiredAt,
      ...summaryOf(summary),
      last_viewed_at: lastViewedAt,
      pages: pages.map(PageCountDto.from),
      people: people?.map(ReportViewerDto.from) ?? null,
      people_from: peopleFrom,
    };
  }
}

export class UnusedReportDto {
  report_id!: string;
  name!: string;
  workspace_id!: string;
  workspace_name!: string;
  last_viewed_at!: Date | null;
  /** Path of the grants on the report, to remove them. */
  grants_path!: string;

  static from(row: UnusedReport): UnusedReportDto {
    return {
      report_id: row.id,
      name: row.name,
      workspace_id: row.workspaceId,
      workspace_name: row.workspaceName,
      last_viewed_at: row.lastViewedAt,
      grants_path: `/api/reports/${row.id}/grants`,
    };
  }
}

export class UnusedReportListDto {
  reports!: UnusedReportDto[];
}
