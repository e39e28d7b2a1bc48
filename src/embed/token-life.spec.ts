import { describe, expect, test } from '@jest/globals';
import { isReusable, lifetimeMinutes, refreshIn, requiredEnd, secondsLeft } from './token-life.js';

const at = new Date('2026-11-21T12:00:00Z');
const after = (seconds: number) => new Date(at.getTime() + seconds * 1000);
const minted = (expiresIn: number) => ({ expiresIn, at, atMonotonic: 500 });
/** The clocks after this time, of which one may have been set or have stopped. */
const clocks = (seconds: number, monotonic = seconds) => ({
  now: () => after(seconds),
  monotonic: () => 500 + monotonic * 1000,
});

describe('the lifetime of an embed token', () => {
  test.each([
    [3600, 0, null, true],
    [3600, 1800, null, true],
    [3600, 1801, null, false],
    [600, 300, null, true],
    [600, 301, null, false],
    [2100, 300, null, true],
    [2100, 1020, null, false],
    [1800, 900, null, true],
    [1800, 901, null, false],
    [4, 2, null, true],
    [4, 3, null, false],
    [2, 0, null, true],
    [2, 1, null, false],
    [3600, 0, 3600, true],
    [3600, 0, 3599, false],
  ])(
    'with expires_in %i s, age %i s and a right that ends after %s s: reusable %s',
    (expiresIn, age, endsAfter, again) => {
      const endsAt = endsAfter === null ? null : after(endsAfter);
      expect(isReusable(minted(expiresIn), clocks(age), 1800, endsAt)).toBe(again);
    },
  );

  test.each([1, 4, 5])(
    'OUT-14 ends for reuse five minutes before the expiry, also with a minimum of %i min',
    (minutes) => {
      const again = (age: number) => isReusable(minted(3600), clocks(age), minutes * 60, null);
      expect([again(3300), again(3301)]).toEqual([true, false]);
    },
  );

  test('ends for reuse at a minimum that is more than half of the lifetime', () => {
    const again = (age: number) => isReusable(minted(3600), clocks(age), 3000, null);
    expect([again(600), again(601)]).toEqual([true, false]);
  });

  test('is reported as the remaining whole seconds', () => {
    expect(secondsLeft(minted(100), clocks(40.2))).toBe(59);
  });

  test.each([
    ['the clock is set back', -20, 40],
    ['the monotonic clock stops', 40, 0],
  ])('passes also when %s', (_case, wall, monotonic) => {
    expect(secondsLeft(minted(100), clocks(wall, monotonic))).toBe(60);
  });

  test.each([
    [3600, 3300],
    [1800, 1500],
    [900, 600],
    [300, 200],
    [9, 6],
    [4, 2],
    [2, 1],
    [1, 1],
  ])('of %i s is renewed after %i s', (left, renewed) => {
    expect(refreshIn(left)).toBe(renewed);
  });

  test.each([
    [7200, 60],
    [3599, 59],
    [60, 1],
  ])('requested %i s before the right ends is %i min', (seconds, minutes) => {
    expect(lifetimeMinutes(after(seconds), at, 60)).toBe(minutes);
  });

  test('is at most the configured maximum', () => {
    expect(lifetimeMinutes(after(7200), at, 15)).toBe(15);
    expect(lifetimeMinutes(after(600), at, 15)).toBe(10);
    expect(lifetimeMinutes(null, at, 15)).toBe(15);
  });

  test('is never zero, which Power BI would take as the maximum', () => {
    expect(() => lifetimeMinutes(after(59), at, 60)).toThrow('within a minute');
    expect(lifetimeMinutes(null, at, 60)).toBe(60);
  });
});

test.each([
  [600, null, 600],
  [600, 700, 600],
  [600, 595, 595],
])('of %i s that was requested until %s s requires the right until %i s', (expiresIn, until, required) => {
  const end = requiredEnd({ expiresIn, at }, until === null ? null : after(until));
  expect(end).toEqual(after(required));
});
