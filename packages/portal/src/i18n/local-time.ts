import { currentTimeZone } from './format.js';

/** How far the clocks of the portal's time zone are ahead of UTC at this time, in milliseconds. */
function offsetAt(time: number): number {
  const style = { dateStyle: 'short', timeStyle: 'medium' } as const;
  // Swedish times are `YYYY-MM-DD HH:mm:ss`.
  const local = new Intl.DateTimeFormat('sv', { ...style, timeZone: currentTimeZone() }).format(time);
  return Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(time / 1000) * 1000;
}

/** The value of a `datetime-local` field in the time zone in which the portal shows times; '' for an invalid time. */
export function toLocalTime(instant: string | number): string {
  const time = new Date(instant).getTime();
  return Number.isNaN(time) ? '' : new Date(time + offsetAt(time)).toISOString().slice(0, 16);
}

/** The instant of such a value. */
export function fromLocalTime(local: string): string {
  const time = Date.parse(`${local}Z`);
  // The second step is right on the day on which the clocks change.
  return new Date(time - offsetAt(time - offsetAt(time))).toISOString();
}
