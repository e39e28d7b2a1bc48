const whole = new Intl.NumberFormat('en');
const percent = new Intl.NumberFormat('en', {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});
// The service returns days of its own time zone, without a time.
const dayFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** `–` for figures that are not stored. */
export const count = (value: number | null): string => (value === null ? '–' : whole.format(value));

/** `1.2 s`, `340 ms`. */
export function milliseconds(value: number | null): string {
  if (value === null) return '–';
  return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
}

/** `2 h 5 min`, `40 s`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `+12%` compared with the period before; undefined if there is nothing to compare with. */
export const change = (now: number | null, before: number | null): string | undefined =>
  now === null || before === null || before === 0 ? undefined : percent.format(now / before - 1);

/** A day `2026-11-23`, or the time of an hour. */
export const startOf = (start: string): string =>
  dayFormat.format(new Date(start.length === 10 ? `${start}T00:00:00Z` : start));
