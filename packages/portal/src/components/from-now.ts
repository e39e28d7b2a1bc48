import { t } from 'i18next';
import { formatDate, formatRelative } from '../i18n/format.js';

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
const RELATIVE_DAYS = 30;

/** `3 hours ago`, `in 2 days`; beyond 30 days the date. */
export function fromNow(instant: string, now = Date.now()): string {
  const seconds = (Date.parse(instant) - now) / 1000;
  if (Math.abs(seconds) > RELATIVE_DAYS * 86_400) return formatDate(instant);
  const unit = units.find(([, size]) => Math.abs(seconds) >= size);
  if (unit === undefined) return seconds > 0 ? t('in a moment') : t('just now');
  return formatRelative(Math.round(seconds / unit[1]), unit[0]);
}
