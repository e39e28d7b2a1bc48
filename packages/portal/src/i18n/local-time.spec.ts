import { afterAll, describe, expect, test } from '@jest/globals';
import { setTimeZone } from './format.js';
import { fromLocalTime, toLocalTime } from './local-time.js';

afterAll(() => setTimeZone(null));

describe('the value of a time field in the time zone of the portal', () => {
  test.each([
    ['Europe/Berlin', '2026-07-01T10:00', '2026-07-01T08:00:00.000Z'],
    ['Europe/Berlin', '2026-12-01T10:00', '2026-12-01T09:00:00.000Z'],
    ['Asia/Kolkata', '2026-07-01T00:15', '2026-06-30T18:45:00.000Z'],
    ['America/New_York', '2026-01-01T00:00', '2026-01-01T05:00:00.000Z'],
    // The clocks change at 01:00 UTC on these days.
    ['Europe/Berlin', '2026-03-29T03:30', '2026-03-29T01:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25T04:00', '2026-10-25T03:00:00.000Z'],
    ['UTC', '2026-07-01T10:00', '2026-07-01T10:00:00.000Z'],
    // While a year is typed.
    ['UTC', '0202-07-01T10:00', '0202-07-01T10:00:00.000Z'],
    ['UTC', '0002-07-01T10:00', '0002-07-01T10:00:00.000Z'],
  ])('in %s %s is %s', (zone, local, instant) => {
    setTimeZone(zone);
    expect(fromLocalTime(local)).toBe(instant);
    expect(toLocalTime(instant)).toBe(local);
  });

  test('is empty for an invalid time', () => {
    expect(toLocalTime('yesterday')).toBe('');
    expect(fromLocalTime('')).toBe('');
    expect(fromLocalTime('12026-07-01T10:00')).toBe('');
  });
});
