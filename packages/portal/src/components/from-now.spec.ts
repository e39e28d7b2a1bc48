import { init } from 'i18next';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeZone } from '../i18n/format.js';
import { fromNow } from './from-now.js';

beforeAll(() => init({ lng: 'en', resources: {}, keySeparator: false, nsSeparator: false }));
afterAll(() => setTimeZone(null));

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const relative = (zone: string, now: string, offset: number): string => {
  setTimeZone(zone);
  return fromNow(new Date(Date.parse(now) + offset).toISOString(), Date.parse(now));
};

describe('fromNow', () => {
  // In Berlin it is an hour before midnight, then an hour after.
  test.each([
    ['Europe/Berlin', '2026-11-24T22:00:00Z', -35 * HOUR, 'yesterday'],
    ['Europe/Berlin', '2026-11-24T22:00:00Z', 35 * HOUR, 'in 2 days'],
    ['Europe/Berlin', '2026-11-24T00:00:00Z', -35 * HOUR, '2 days ago'],
    ['Europe/Berlin', '2026-11-24T00:00:00Z', 35 * HOUR, 'tomorrow'],
    // The same instants in another time zone.
    ['America/New_York', '2026-11-24T00:00:00Z', -35 * HOUR, 'yesterday'],
    ['America/New_York', '2026-11-24T00:00:00Z', 35 * HOUR, 'in 2 days'],
    ['UTC', '2026-11-24T12:00:00Z', -24 * HOUR, 'yesterday'],
    ['UTC', '2026-11-24T12:00:00Z', 7 * 24 * HOUR, 'in 7 days'],
    // A day of 25 hours.
    ['Europe/Berlin', '2026-10-25T22:45:00Z', -24.5 * HOUR, 'today'],
  ])('names the day in %s: at %s, %d ms away is %s', (zone, now, offset, text) => {
    expect(relative(zone, now, offset)).toBe(text);
  });

  test.each([
    [-23.9 * HOUR, '23 hours ago'],
    [23.9 * HOUR, 'in 23 hours'],
    [-20 * HOUR, '20 hours ago'],
    [-1.6 * HOUR, '2 hours ago'],
    [59.9 * MINUTE, 'in 59 minutes'],
    [-MINUTE, '1 minute ago'],
    [-MINUTE / 2, 'just now'],
    [MINUTE / 2, 'in a moment'],
    [-31 * 24 * HOUR, 'Oct 24, 2026'],
  ])('%d ms away is %s', (offset, text) => {
    expect(relative('UTC', '2026-11-24T03:00:00Z', offset)).toBe(text);
  });
});
