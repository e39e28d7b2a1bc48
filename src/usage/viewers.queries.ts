// SQL, because it counts distinct people in rollups.
import type { EntityManager } from 'typeorm';
import { execute, Parameters } from '../core/database/execute.js';
import { type Days, isSelected, type Selection, tableOf, within } from './figures.queries.js';
import { distinctPeople, lacksPeople } from './people.queries.js';
import { addDays, type Bucket, bucketOfDay, endOfBucket, type Period } from './period.js';
import { ALL_WORKSPACES } from './rollup.queries.js';

/** Distinct people; null where a part of the days no longer contains people. */
export interface Viewers {
  total: number | null;
  /** By start of the bucket. */
  buckets: ReadonlyMap<string, number | null>;
}

/** SQL: the stored number stays when the people of a single day are removed. */
export async function viewersOf(
  manager: EntityManager,
  selection: Selection,
  period: Period,
): Promise<Viewers> {
  const parameters = new Parameters();
  const start = `date_trunc(${parameters.add(period.bucket)}, day)::date`;
  const { rows } = await execute<{
    start: string | null;
    count: number;
    stored: number | null;
    isUnknown: boolean;
  }>(
    manager,
    `WITH part AS MATERIALIZED (
       SELECT ${start} AS start, day, views, people, people_from, people_bits, viewers FROM ${tableOf(selection)}
       WHERE ${within(period, parameters)} AND ${isSelected(selection, parameters)}
     ), keyed AS (
       SELECT key, people, people_from, people_bits FROM part, unnest(ARRAY[start::text, '']) AS key
     ), ${distinctPeople('keyed')}
     SELECT whole.start::text, coalesce(present.viewers, 0) AS count, stored, "isUnknown" FROM (
       SELECT start, bool_or(${lacksPeople}) AS "isUnknown",
         CASE WHEN count(DISTINCT day) = 1 AND ${selection.reportId !== undefined || selection.workspaces?.length === 1}
           THEN nullif(sum(viewers), 0)::int END AS stored
       FROM part GROUP BY GROUPING SETS ((start), ())) AS whole
     LEFT JOIN present ON key = coalesce(whole.start::text, '')`,
    parameters.values,
    false,
  );
  const found = rows.map((row) => [row.start, row.isUnknown ? row.stored : row.count] as const);
  const whole = found.find(([key]) => key === null);
  return {
    total: whole === undefined ? 0 : whole[1],
    buckets: new Map(found.flatMap(([key, count]) => (key === null ? [] : [[key, count] as const]))),
  };
}

interface Part {
  period: Bucket;
  start: string;
}

/** Covers the days with as few stored periods as possible: whole months, then weeks, then days. */
export function coverDays({ from, to }: Days): Part[] {
  const parts: Part[] = [];
  for (let day = from; day < to;) {
    const period = (['month', 'week'] as const).find(
      (each) => bucketOfDay(day, each) === day && endOfBucket(day, each) <= to,
    );
    parts.push({ period: period ?? 'day', start: day });
    day = period === undefined ? addDays(day, 1) : endOfBucket(day, period);
  }
  return parts;
}

interface SpanCount {
  span: number;
  count: number | null;
}

/** A span of one stored period has a stored number, so that its people are not read. */
const storedCount = (classes: string): string => `
SELECT span, sum(viewers)::int AS count FROM unnest($1::int[], $2::text[], $3::date[]) AS given (span, period, start)
JOIN usage_active_people USING (period, start) WHERE ${classes} GROUP BY span`;

const mergedCount = (classes: string): string => `
WITH part AS MATERIALIZED (
  SELECT span, people FROM unnest($1::int[], $2::text[], $3::date[]) AS given (span, period, start)
  JOIN usage_active_people USING (period, start) WHERE ${classes} AND (people IS NULL OR people <> '{}')
), person AS (SELECT DISTINCT span, unnest(people) AS person FROM part)
SELECT span, CASE WHEN bool_or(is_unknown) THEN NULL ELSE sum(n)::int END AS count FROM (
  SELECT span, count(*) AS n, false AS is_unknown FROM person GROUP BY span
  UNION ALL SELECT span, 0, true FROM part WHERE people IS NULL) AS counted
GROUP BY span`;

/**
 * A day whose views were recorded without people has no stored viewers. The number of admins is 0, too, where all of them also viewed
 * as members on that day.
 */
const unknownCount = (classes: string): string => `
SELECT DISTINCT span, NULL::int AS count FROM unnest($1::int[], $2::date[], $3::date[]) AS given (span, first, past)
JOIN usage_active_people AS a ON period = 'day' AND start >= first AND start < past
JOIN usage_workspace_day AS w USING (by_admin)
WHERE a.viewers = 0 AND day = start AND workspace_id = '${ALL_WORKSPACES}' AND views > 0 AND ${classes}
  AND NOT EXISTS (SELECT FROM usage_active_people AS o WHERE o.period = 'day' AND o.start = a.start AND o.viewers > 0)`;

/** The same for all views, from the stored people of the organization. */
export async function activePeople(
  manager: EntityManager,
  { excludesAdmins }: Pick<Selection, 'excludesAdmins'>,
  spans: readonly Days[],
): Promise<(number | null)[]> {
  const classes = excludesAdmins ? 'NOT by_admin' : 'TRUE';
  const covers = spans.map(coverDays);
  const count = async (text: string, isIncluded: (cover: readonly Part[]) => boolean) => {
    const parts = covers.flatMap((cover, span) =>
      isIncluded(cover) ? cover.map((part) => ({ ...part, span })) : [],
    );
    const values = [
      parts.map(({ span }) => span),
      parts.map(({ period }) => period),
      parts.map(({ start }) => start),
    ];
    return parts.length === 0 ? [] : (await execute<SpanCount>(manager, text, values, false)).rows;
  };
  const stored = await count(storedCount(classes), ({ length }) => length === 1);
  const merged = await count(mergedCount(classes), ({ length }) => length > 1);
  const values = [spans.map((_, span) => span), spans.map(({ from }) => from), spans.map(({ to }) => to)];
  const { rows: unknown } = await execute<SpanCount>(manager, unknownCount(classes), values, false);
  const found = new Map([...stored, ...merged, ...unknown].map((row) => [row.span, row.count]));
  return spans.map((_, span) => (found.has(span) ? (found.get(span) ?? null) : 0));
}
