import { t } from 'i18next';
import { formatDay, formatDecimal, formatNumber, formatSignedPercent } from '../../i18n/format.js';

/** `–` for figures that are not stored. */
export const count = (value: number | null): string => (value === null ? '–' : formatNumber(value));

/** `1.2 s`, `340 ms`. */
export function milliseconds(value: number | null): string {
  if (value === null) return '–';
  return value < 1000
    ? t('{{milliseconds}} ms', { milliseconds: Math.round(value) })
    : t('{{seconds}} s', { seconds: formatDecimal(value / 1000) });
}

/** `2 h 5 min`, `40 s`. */
export function duration(seconds: number): string {
  if (seconds < 60) return t('{{seconds}} s', { seconds });
  const minutes = Math.round(seconds / 60);
  return minutes < 60
    ? t('{{minutes}} min', { minutes })
    : t('{{hours}} h {{minutes}} min', {
        hours: Math.floor(minutes / 60),
        minutes: minutes % 60,
      });
}

/** `+12%` compared with the period before; undefined if there is nothing to compare with. */
export const change = (now: number | null, before: number | null): string | undefined =>
  now === null || before === null || before === 0 ? undefined : formatSignedPercent(now / before - 1);

/** A day `2026-11-23` of the service's time zone, or the time of an hour. */
export const startOf = (start: string): string =>
  formatDay(start.length === 10 ? `${start}T00:00:00Z` : start);
