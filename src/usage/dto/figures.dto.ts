import type { ListedWorkspaceUsage } from '../usage-reports.service.js';
import { percentilesOf } from '../histogram.js';
import type { CountedFigures, FiguresBucket, Summary } from '../usage-summary.service.js';

export class PercentilesDto {
  /** Null without values. */
  p50!: number | null;
  p95!: number | null;
}

/** Figures of a period. All except `issued_views` are reported by browsers. */
export class FiguresDto {
  /** Openings of reports, as browsers reported them. */
  views!: number;
  /** How often an embed token was issued or returned again, as the service recorded it; includes renewals. */
  issued_views!: number;
  /** Distinct people; null if they are not stored, or no longer. With `USAGE_PEOPLE=pseudonymous` each month counts on its own. */
  viewers!: number | null;
  page_views!: number;
  /** Time for which reports were visible. */
  seconds!: number;
  failures!: number;
  /** Milliseconds until a report was first rendered, from histograms. */
  opening_ms!: PercentilesDto;
  /** Milliseconds until a report was loaded, from histograms. */
  load_ms!: PercentilesDto;
}

export const figuresOf = (figures: CountedFigures): FiguresDto => ({
  views: figures.views,
  issued_views: figures.issued_views,
  viewers: figures.viewers,
  page_views: figures.page_views,
  seconds: Math.round(figures.visible_ms / 1000),
  failures: figures.failures,
  opening_ms: percentilesOf(figures.render),
  load_ms: percentilesOf(figures.load),
});

const notKept = {
  views: null,
  issued_views: null,
  viewers: null,
  page_views: null,
  seconds: null,
  failures: null,
  opening_ms: percentilesOf(null),
  load_ms: percentilesOf(null),
};

/** Figures of the period before. All are null if it begins before the retention of figures, `USAGE_ROLLUP_MONTHS`. */
export class PreviousFiguresDto {
  from!: string;
  /** The day after the last one. */
  to!: string;
  views!: number | null;
  issued_views!: number | null;
  viewers!: number | null;
  page_views!: number | null;
  seconds!: number | null;
  failures!: number | null;
  opening_ms!: PercentilesDto;
  load_ms!: PercentilesDto;

  static from({ from, to, figures }: Summary['previous']): PreviousFiguresDto {
    return { from, to, ...(figures === null ? notKept : figuresOf(figures)) };
  }
}

export class UsageBucketDto {
  /** First day of the bucket in `USAGE_TIME_ZONE`; the time of an hour. */
  start!: string;
  views!: number;
  issued_views!: number;
  viewers!: number | null;
  page_views!: number;
  seconds!: number;
  failures!: number;
  opening_ms!: PercentilesDto;

  static from({ start, ...figures }: FiguresBucket): UsageBucketDto {
    const { load_ms: _load, ...shown } = figuresOf(figures);
    return { start, ...shown };
  }
}

export class FailureCountDto {
  /** Error code that Power BI's client reported; `unknown` without one. */
  code!: string;
  count!: number;
}

export class UsageSummaryDto extends FiguresDto {
  /** Start of the period. Later than requested where the retention ends. */
  from!: Date;
  /** End of the period. */
  to!: Date;
  /** The period of the same length before. */
  previous!: PreviousFiguresDto;
  failures_by_code!: FailureCountDto[];
  buckets!: UsageBucketDto[];
}

export const summaryOf = ({
  period,
  figures,
  previous,
  buckets,
  failuresByCode,
}: Summary): UsageSummaryDto => ({
  from: period.fromAt,
  to: period.toAt,
  ...figuresOf(figures),
  previous: PreviousFiguresDto.from(previous),
  failures_by_code: failuresByCode.map(({ name, count }) => ({ code: name, count })),
  buckets: buckets.map(UsageBucketDto.from),
});

export class UsageOverviewDto extends UsageSummaryDto {
  /** Distinct people who opened at least one report: the same as `viewers`. */
  active_people!: number | null;

  static from(summary: Summary): UsageOverviewDto {
    return { ...summaryOf(summary), active_people: summary.figures.viewers };
  }
}

export class ListedWorkspaceUsageDto {
  workspace_id!: string;
  name!: string;
  views!: number;
  /** Views of the period of the same length before; null if it begins before the retention. */
  previous_views!: number | null;
  /** Distinct people; null if they are not stored, or no longer. */
  viewers!: number | null;
  /** Time for which reports were visible. */
  seconds!: number;

  static from(row: ListedWorkspaceUsage): ListedWorkspaceUsageDto {
    return {
      workspace_id: row.id,
      name: row.name,
      views: row.views,
      previous_views: row.previousViews,
      viewers: row.viewers,
      seconds: Math.round(row.visible_ms / 1000),
    };
  }
}

export class WorkspaceUsageListDto {
  workspaces!: ListedWorkspaceUsageDto[];
}

export class WorkspaceUsageDto extends UsageOverviewDto {
  workspace_id!: string;
  name!: string;
}
