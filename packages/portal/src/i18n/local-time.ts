import { currentTimeZone } from './format.js';

/** How far the clocks of the portal's time zone are ahead of UTC at this time, in milliseconds. */
function offsetAt(time: number): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: currentTimeZone(),
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(time);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  const local = new Date(0);
  // `Date.UTC` takes years below 100 for those of the 20th century; they occur while a year is typed.
  local.setUTCFullYear(of('year'), of('month') - 1, of('day'));
  local.setUTCHours(of('hour'), of('minute'), of('second'));
  return local.getTime() - Math.floor(time / 1000) * 1000;
}

/** The value of a `datetime-local` field in the time zone in which the portal shows times; '' for an invalid time. */
export function toLocalTime(instant: string | number): string {
  const time = new Date(instant).getTime();
  return Number.isNaN(time) ? '' : new Date(time + offsetAt(time)).toISOString().slice(0, 16);
}

/** The `max` of such a field: without it, browsers accept years of more digits. */
export const MAX_LOCAL_TIME = '9999-12-31T23:59';

/** The instant of such a value; '' for one that is no time of the years to 9999. */
export function fromLocalTime(local: string): string {
  const time = Date.parse(`${local}Z`);
  if (Number.isNaN(time)) return '';
  // The second step is right on the day on which the clocks change.
  return new Date(time - offsetAt(time - offsetAt(time))).toISOString();
}
