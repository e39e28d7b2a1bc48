import { t } from 'i18next';
import { calendarDay, formatDate, formatRelative } from '../i18n/format.js';

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];
const RELATIVE_DAYS = 30;

/** Calendar days, because the browser writes -1 as `yesterday`: 26 hours ago can be two days ago. */
const daysBetween = (from: number, to: string): number =>
  Math.round((Date.parse(calendarDay(to)) - Date.parse(calendarDay(from))) / (DAY * 1000));

/** `3 hours ago`, `tomorrow`, `in 2 days`; beyond 30 days the date. */
export function fromNow(instant: string, now = Date.now()): string {
  const seconds = (Date.parse(instant) - now) / 1000;
  const elapsed = Math.abs(seconds);
  if (elapsed > RELATIVE_DAYS * DAY) return formatDate(instant);
  if (elapsed >= DAY) return formatRelative(daysBetween(now, instant), 'day');
  if (elapsed < MINUTE) return seconds > 0 ? t('in a moment') : t('just now');
  const [unit, size, max] =
    elapsed < HOUR ? (['minute', MINUTE, 59] as const) : (['hour', HOUR, 23] as const);
  // Rounded, but never to `60 minutes` or `24 hours`.
  return formatRelative(Math.sign(seconds) * Math.min(max, Math.round(elapsed / size)), unit);
}
