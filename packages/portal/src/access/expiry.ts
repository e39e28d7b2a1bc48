import { dayIn } from '../i18n/format.js';
import { settings } from '../settings.js';

/** The day of an instant in the service's time zone, as a date field writes it; '' for none. */
export const dayOf = (instant: string | null | undefined): string =>
  instant === null || instant === undefined ? '' : dayIn(settings.usageTimeZone, instant);

/** A day without a time ends the grant at the end of that day; undefined for ''. */
export const expiryOf = (day: string): string | undefined => (day === '' ? undefined : day);

/** An expiry whose day is unchanged keeps its time. */
export const changedExpiry = (day: string, before: string | null | undefined): string | undefined =>
  day !== '' && day === dayOf(before) ? (before ?? undefined) : expiryOf(day);
