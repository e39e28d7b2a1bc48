import type { PeopleFigures, PersonReport } from '../people-usage.queries.js';
import type { Period } from '../period.js';

export interface PeopleSummary {
  period: Period;
  total: PeopleFigures;
  buckets: (PeopleFigures & { start: string })[];
}

const secondsOf = ({ visible_ms }: { visible_ms: number }): number => Math.round(visible_ms / 1000);

export class GroupBucketDto {
  start!: string;
  /** Null where 1 to 4 people opened a report, or fewer than 5 in the whole period. */
  views!: number | null;
  viewers!: number | null;
}

/** What the people of a group opened. All figures are null where fewer than 5 of them opened a report. */
export class GroupUsageDto {
  group_id!: string;
  name!: string;
  /** People and service accounts in the group and the groups in it. */
  members!: number;
  from!: Date;
  to!: Date;
  /** The first day of the period, if people of the days before it are no longer stored. */
  people_from!: string | null;
  views!: number | null;
  /** How often an embed token was issued or returned again, as the service recorded it; includes renewals. Null where fewer than 5 people received one. */
  issued_views!: number | null;
  viewers!: number | null;
  page_views!: number | null;
  seconds!: number | null;
  failures!: number | null;
  buckets!: GroupBucketDto[];

  static of(
    group: { id: string; name: string; memberCount: number },
    { period, total, buckets }: PeopleSummary,
    { issuedViews, isHidden }: { issuedViews: number | null; isHidden: (figures: PeopleFigures) => boolean },
  ): GroupUsageDto {
    const hides = isHidden(total);
    const shown = <T>(hidden: boolean, value: T): T | null => (hidden ? null : value);
    return {
      group_id: group.id,
      name: group.name,
      members: group.memberCount,
      from: period.fromAt,
      to: period.toAt,
      people_from: period.from === period.viewsFrom ? period.from : null,
      views: shown(hides, total.views),
      issued_views: issuedViews,
      viewers: shown(hides, total.viewers),
      page_views: shown(hides, total.page_views),
      seconds: shown(hides, secondsOf(total)),
      failures: shown(hides, total.failures),
      buckets: buckets.map((bucket) => ({
        start: bucket.start,
        views: shown(isHidden(bucket), bucket.views),
        viewers: shown(isHidden(bucket), bucket.viewers),
      })),
    };
  }
}

export class PersonBucketDto {
  start!: string;
  views!: number;
  seconds!: number;
}

export class PersonReportDto {
  report_id!: string;
  name!: string;
  workspace_id!: string;
  views!: number;
  issued_views!: number;
  seconds!: number;
  /** Null if the browser reported no view. */
  last_viewed_at!: Date | null;
}

/** What one person opened. */
export class PersonUsageDto {
  user_id!: string;
  name!: string;
  from!: Date;
  to!: Date;
  views!: number;
  /** How often an embed token was issued or returned again, as the service recorded it; includes renewals. */
  issued_views!: number;
  page_views!: number;
  seconds!: number;
  failures!: number;
  last_viewed_at!: Date | null;
  /** The 100 reports with the most views, also those without a reported view. */
  reports!: PersonReportDto[];
  buckets!: PersonBucketDto[];

  static of(
    user: { id: string; name: string },
    { period, total, buckets }: PeopleSummary,
    issuedViews: number,
    reports: readonly PersonReport[],
  ): PersonUsageDto {
    return {
      user_id: user.id,
      name: user.name,
      from: period.fromAt,
      to: period.toAt,
      views: total.views,
      issued_views: issuedViews,
      page_views: total.page_views,
      seconds: secondsOf(total),
      failures: total.failures,
      last_viewed_at: total.last_viewed_at,
      reports: reports.map(({ id, visible_ms, ...report }) => ({
        report_id: id,
        seconds: secondsOf({ visible_ms }),
        ...report,
      })),
      buckets: buckets.map((bucket) => ({
        start: bucket.start,
        views: bucket.views,
        seconds: secondsOf(bucket),
      })),
    };
  }
}
