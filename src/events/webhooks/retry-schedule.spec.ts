import { expect, test } from '@jest/globals';
import { parseRetryAfter, retryDelay } from './retry-schedule.js';

const now = new Date('2026-11-23T08:00:00Z');

test('the delays are 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h, and 10 h from then on', () => {
  const delays = Array.from({ length: 9 }, (_, index) => retryDelay(index + 1));
  expect(delays).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000, 36_000, 36_000]);
});

test('Retry-After extends a delay up to 10 hours and never shortens it', () => {
  expect(retryDelay(1, 120)).toBe(120);
  expect(retryDelay(2, 120)).toBe(300);
  expect(retryDelay(1, 10_000_000)).toBe(36_000);
});

test.each([
  ['120', 120],
  ['Mon, 23 Nov 2026 08:01:00 GMT', 60],
  ['Mon, 23 Nov 2026 07:00:00 GMT', 0],
  ['soon', null],
  ['-5', null],
  ['1e9', null],
  [undefined, null],
])('Retry-After %s', (value, seconds) => expect(parseRetryAfter(value, now)).toBe(seconds));
