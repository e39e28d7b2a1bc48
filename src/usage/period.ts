import type { EntityManager } from 'typeorm';
import { execute } from '../core/database/execute.js';
import { InvalidRequest } from '../core/problems/problem.js';
import { isDay, parseTime } from '../core/validation/times.js';
import type { UsageConfig } from '../core/config/usage.config.js';
import { dayOf, startOfDay } from '../core/database/local-days.js';
import { firstCompleteDay } from './usage-retention.service.js';

export const buckets = ['hour', 'day', 'week', 'month'] as const;

export type Bucket = (typeof buckets)[number];

/** Whole days of `USAGE_TIME_ZONE`. Days are `YYYY-MM-DD`; `to` is the day after the last one. */
export interface Period {
  from: string;
  to: string;
  fromAt: Date;
  toAt: Date;
  bucket: Bucket;
  /** The first day whose figures are kept. */
  keptFrom: string;
  /** The first day whose single views, and with them people, are all kept. */
  viewsFrom: string;
}

export interface GivenPeriod {
  from?: string;
  to?: string;
  days?: number;
  bucket: Bucket;
}

const DEFAULT_DAYS = 30;
const MAX_HOURLY_DAYS = 7;
export const DAY_MS = 86_400_000;

export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);

export const countDays = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** The days of the same length before the period. */
export const previousOf = ({ from, to }: Pick<Period, 'from' | 'to'>) => ({
  from: addDays(from, -countDays(from, to)),
  to: from,
});

/** Whether all figures of the days before the period are kept, to compare with them. */
export const hasPrevious = (period: Pick<Period, 'from' | 'to' | 'keptFrom'>): boolean =>
  previousOf(period).from >= period.keptFrom;

const MAX_DAILY = 31;
const MAX_PARTS = 30;

/** Parts of equal length that end with the period: days, beyond 31 days whole weeks, so that weekends do not show. */
export function partsOf({ from, to }: Pick<Period, 'from' | 'to'>): { days: number; count: number } {
  const length = countDays(from, to);
  const days = length <= MAX_DAILY ? 1 : 7 * Math.ceil(length / (7 * MAX_PARTS));
  return { days, count: Math.floor(length / days) };
}

/** First day of the bucket that contains the day; weeks begin on Monday. */
export function bucketOfDay(day: string, bucket: Bucket): string {
  if (bucket === 'month') return `${day.slice(0, 7)}-01`;
  if (bucket === 'week') return addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
  return day;
}

/** The day after the last one of the bucket. */
export function endOfBucket(start: string, bucket: Bucket): string {
  if (bucket === 'week') return addDays(start, 7);
  return bucket === 'month' ? bucketOfDay(addDays(start, 31), 'month') : addDays(start, 1);
}

export function bucketsOf({ from, to, bucket }: Pick<Period, 'from' | 'to' | 'bucket'>): string[] {
  const starts: string[] = [];
  for (let start = bucketOfDay(from, bucket); start < to; start = endOfBucket(start, bucket))
    starts.push(start);
  return starts;
}

const resolve = `
WITH given AS (
  SELECT coalesce($2::date, ${dayOf('$3::timestamptz', '$1')}) AS first,
    coalesce($4::date, ${dayOf('$5::timestamptz', '$1')}
      + ($5::timestamptz > ${startOfDay(dayOf('$5::timestamptz', '$1'), '$1')})::int) AS last,
    ${dayOf('$6::timestamptz', '$1')} + 1 AS tomorrow,
    ${firstCompleteDay('$6', '$8', '$1')} AS views_from,
    date_trunc('month', ${dayOf('$6::timestamptz', '$1')}::timestamp - make_interval(months => $9))::date AS kept_from
), ended AS (
  SELECT first, least(coalesce(last, tomorrow), tomorrow) AS last, kept_from, views_from,
    CASE WHEN $7 THEN views_from ELSE kept_from END AS oldest
  FROM given
), kept AS (
  SELECT greatest(coalesce(first, last - $10::int), oldest) AS first, last, kept_from, views_from FROM ended
)
SELECT first::text AS "from", last::text AS "to", ${startOfDay('first', '$1')} AS "fromAt", ${startOfDay('last', '$1')} AS "toAt",
  kept_from::text AS "keptFrom", views_from::text AS "viewsFrom"
FROM kept`;

interface Resolving {
  config: UsageConfig;
  now: Date;
  /** Whether only days with single views can be read. */
  isRaw?: boolean;
}

const refuse = (pointer: string, detail: string): never => {
  throw new InvalidRequest([{ pointer, detail }]);
};

/** Clips to the retention and to today. Throws InvalidRequest. */
export async function resolvePeriod(
  manager: EntityManager,
  { from, to, days, bucket }: GivenPeriod,
  { config, now, isRaw = false }: Resolving,
): Promise<Period> {
  if (days !== undefined && from !== undefined) refuse('/days', 'days cannot be combined with from');
  // PostgreSQL has fewer offsets of time zones than RFC 3339.
  const split = (text?: string) =>
    text === undefined ? [null, null] : isDay(text) ? [text, null] : [null, parseTime(text)];
  const readsViews = isRaw || bucket === 'hour';
  const { rows } = await execute<Omit<Period, 'bucket'>>(manager, resolve, [
    config.timeZone,
    ...split(from),
    ...split(to),
    now,
    readsViews,
    config.rawDays,
    config.rollupMonths,
    days ?? (bucket === 'hour' ? 1 : DEFAULT_DAYS),
  ]);
  const period = rows[0] as Omit<Period, 'bucket'>;
  if (period.from >= period.to)
    refuse('/from', 'from must be before to, not in the future, and to within the retention');
  if (bucket === 'hour' && countDays(period.from, period.to) > MAX_HOURLY_DAYS)
    refuse('/bucket', `hour is available for at most ${MAX_HOURLY_DAYS} days`);
  return { ...period, bucket };
}
