import { dayIn } from '../../i18n/format.js';
import { settings } from '../../settings.js';

const DAY_MS = 86_400_000;
const OLDEST = '2000-01-01';

export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);

/** In the time zone of the figures. */
export const today = (): string => dayIn(settings.usageTimeZone, Date.now());

/** Days of a period, both included. */
export interface DayRange {
  from: string;
  to: string;
}

export const lengthOf = ({ from, to }: DayRange): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

export const lastDays = (count: number): DayRange => ({ from: addDays(today(), 1 - count), to: today() });

const isDay = (text: string | null): text is string =>
  text !== null &&
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  addDays(text, 0) === text;

/** Undefined unless both are days in this order. */
export function rangeOf(from: string | null, to: string | null): DayRange | undefined {
  if (!isDay(from) || !isDay(to)) return undefined;
  return from >= OLDEST && from <= to && to <= today() ? { from, to } : undefined;
}
