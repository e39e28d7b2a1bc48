import { expect, test } from '@jest/globals';
import { noFigures } from '../../src/usage/figures.queries.js';
import { addDays, bucketOfDay } from '../../src/usage/period.js';
import { figuresByBucket } from '../../src/usage/usage-summary.service.js';

test.each(['day', 'week', 'month'] as const)('days are added up by %s, each of them once', (bucket) => {
  let reads = 0;
  const starts = Array.from({ length: 3650 }, (_, index) => addDays('2016-01-01', index));
  const days = starts.map((day, index) => ({
    ...noFigures,
    views: index,
    get start() {
      reads += 1;
      return day;
    },
  }));
  const found = figuresByBucket(days, bucket);
  expect(reads).toBe(days.length);
  const expected = new Map<string, number>();
  for (const [index, day] of starts.entries()) {
    const start = bucketOfDay(day, bucket);
    expected.set(start, (expected.get(start) ?? 0) + index);
  }
  expect([...found].map(([start, { views }]) => [start, views])).toEqual([...expected]);
});
