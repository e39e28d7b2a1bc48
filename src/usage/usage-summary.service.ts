import { Injectable } from '@nestjs/common';
import { Config } from '../core/config/config.js';
import { DatabaseService } from '../core/database/database.service.js';
import {
  addFigures,
  type CountedName,
  countedErrors,
  dailyFigures,
  type Figures,
  hourlyFigures,
  noFigures,
  type Selection,
} from './figures.queries.js';
import { activePeople, type Viewers, viewersOf } from './viewers.queries.js';
import {
  type Bucket,
  bucketOfDay,
  bucketsOf,
  endOfBucket,
  hasPrevious,
  type Period,
  previousOf,
} from './period.js';

export interface CountedFigures extends Figures {
  /** Null if people are not stored, or no longer. */
  viewers: number | null;
}

export interface FiguresBucket extends CountedFigures {
  start: string;
}

export interface Summary {
  period: Period;
  figures: CountedFigures;
  /** Without figures where the retention ends. */
  previous: { from: string; to: string; figures: CountedFigures | null };
  buckets: FiguresBucket[];
  failuresByCode: CountedName[];
}

const later = (a: string, b: string): string => (a > b ? a : b);
const earlier = (a: string, b: string): string => (a < b ? a : b);

/** The figures of the days by start of their bucket; buckets without any are missing. */
export function figuresByBucket(
  days: readonly (Figures & { start: string })[],
  bucket: Bucket,
): Map<string, Figures> {
  const byBucket = Map.groupBy(days, ({ start }) => bucketOfDay(start, bucket));
  return new Map([...byBucket].map(([start, each]) => [start, each.reduce(addFigures, noFigures)]));
}

/** Figures of a selection of views: totals, the period before, and buckets. */
@Injectable()
export class UsageSummaryService {
  constructor(
    private readonly config: Config,
    private readonly database: DatabaseService,
  ) {}

  async summarize(selection: Selection, period: Period): Promise<Summary> {
    const { manager } = this.database;
    const before = previousOf(period);
    // One after another: a request uses one connection at a time.
    const days = await dailyFigures(manager, selection, { from: before.from, to: period.to });
    const viewers = await this.viewers(selection, period);
    const previousViewers = await this.viewers(selection, { ...period, ...before, bucket: 'month' });
    const failuresByCode = await countedErrors(manager, selection, period);
    const current = days.filter(({ start }) => start >= period.from);
    const past = days.filter(({ start }) => start < period.from);
    const figures = figuresByBucket(current, period.bucket);
    return {
      period,
      figures: { ...current.reduce(addFigures, noFigures), viewers: viewers.total },
      previous: {
        ...before,
        figures: hasPrevious(period)
          ? { ...past.reduce(addFigures, noFigures), viewers: previousViewers.total }
          : null,
      },
      buckets:
        period.bucket === 'hour'
          ? await this.hours(selection, period)
          : bucketsOf(period).map((start) => ({
              start,
              ...(figures.get(start) ?? noFigures),
              viewers: viewers.buckets.has(start) ? (viewers.buckets.get(start) ?? null) : this.none,
            })),
      failuresByCode,
    };
  }

  /** The number of viewers where there are no views. */
  private get none(): number | null {
    return this.config.usage.countsViewers ? 0 : null;
  }

  private async viewers(selection: Selection, period: Period): Promise<Viewers> {
    if (!this.config.usage.countsViewers)
      return { total: null, buckets: new Map(bucketsOf(period).map((start) => [start, null])) };
    const { manager } = this.database;
    const days = { ...period, bucket: period.bucket === 'hour' ? ('day' as const) : period.bucket };
    if (selection.workspaces !== undefined || selection.reportId !== undefined)
      return viewersOf(manager, selection, days);
    const starts = bucketsOf(days);
    const spans = starts.map((start) => ({
      from: later(start, period.from),
      to: earlier(endOfBucket(start, days.bucket), period.to),
    }));
    const [total = null, ...counts] = await activePeople(manager, selection, [period, ...spans]);
    return { total, buckets: new Map(starts.map((start, index) => [start, counts[index] ?? null])) };
  }

  private async hours(selection: Selection, period: Period): Promise<FiguresBucket[]> {
    const rows = await hourlyFigures(this.database.manager, selection, period, this.config.usage.timeZone);
    return rows.map(({ viewers, ...figures }) => ({
      ...figures,
      start: figures.start.toISOString(),
      viewers: this.config.usage.countsViewers ? viewers : null,
    }));
  }
}
