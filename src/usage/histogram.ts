/** Upper limits of the buckets in milliseconds; the last bucket has none. Stored counts depend on them: never change them. */
const bounds = [
  100, 200, 300, 400, 500, 650, 800, 1000, 1250, 1500, 2000, 2500, 3000, 4000, 5000, 6500, 8000, 10_000,
  15_000, 20_000, 30_000, 60_000, 120_000,
];
const buckets = Array.from({ length: bounds.length + 1 }, (_, index) => index);

/** SQL expression: the bucket of a column with milliseconds. */
export const bucketOf = (column: string): string => `width_bucket(${column}, ARRAY[${bounds.join(', ')}])`;

/** SQL aggregate: the histogram of a column with buckets; null if all of them are null. */
export const histogramOf = (bucket: string): string =>
  `CASE WHEN count(${bucket}) > 0
     THEN ARRAY[${buckets.map((index) => `count(*) FILTER (WHERE ${bucket} = ${index})`).join(', ')}]::integer[] END`;

/** SQL aggregate: the sum of histograms. By position, which is ten times faster than unnesting them. */
export const sumOfHistograms = (column: string): string =>
  `CASE WHEN count(${column}) > 0
     THEN ARRAY[${buckets.map((index) => `sum(${column}[${index + 1}])`).join(', ')}]::integer[] END`;

/** SQL expression: the bucket that contains the 95th percentile of a histogram; 0 without values. */
export const p95Bucket = (histogram: string): string =>
  `coalesce((SELECT min(i) FROM (
     SELECT i, sum(n) OVER (ORDER BY i) AS reached, sum(n) OVER () AS total
     FROM unnest(${histogram}) WITH ORDINALITY AS bucket (n, i)) AS counted
   WHERE reached >= 0.95 * total AND total > 0), 0)`;

export interface Percentiles {
  p50: number | null;
  p95: number | null;
}

/** Linear between the limits of its bucket; the last bucket counts as its lower limit. */
function percentile(counts: readonly number[], total: number, share: number): number {
  let before = 0;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && before + count >= share * total) {
      const lower = bounds[index - 1] ?? 0;
      const upper = bounds[index] ?? lower;
      return Math.round(lower + ((share * total - before) / count) * (upper - lower));
    }
    before += count;
  }
  return bounds.at(-1) ?? 0;
}

export function percentilesOf(counts: readonly number[] | null): Percentiles {
  const total = counts?.reduce((sum, count) => sum + count, 0) ?? 0;
  if (counts === null || total === 0) return { p50: null, p95: null };
  return { p50: percentile(counts, total, 0.5), p95: percentile(counts, total, 0.95) };
}

export const addHistograms = (a: readonly number[] | null, b: readonly number[] | null): number[] | null =>
  a === null || b === null ? ((a ?? b)?.slice() ?? null) : a.map((count, index) => count + (b[index] ?? 0));
