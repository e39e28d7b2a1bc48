import { Text, Tooltip } from '@mantine/core';

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium' });
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const RELATIVE_DAYS = 30;

/** `3 hours ago`, `in 2 days`; beyond 30 days the date. */
export function fromNow(instant: string, now = Date.now()): string {
  const seconds = (Date.parse(instant) - now) / 1000;
  if (Math.abs(seconds) > RELATIVE_DAYS * 86_400) return date.format(new Date(instant));
  const unit = units.find(([, size]) => Math.abs(seconds) >= size);
  if (unit === undefined) return seconds > 0 ? 'in a moment' : 'just now';
  return relative.format(Math.round(seconds / unit[1]), unit[0]);
}

/** `11:42:07 AM`, for what comes today. */
export const exactTime = (instant: string): string => clock.format(new Date(instant));

export const exactly = (instant: string): string => absolute.format(new Date(instant));

interface Props {
  /** UTC, ISO 8601, as the API gives it. */
  at: string | null;
  /** Shown when there is none. */
  none?: string;
}

/** How long ago, and on hovering or focusing exactly when. */
export const Time = ({ at, none = 'Never' }: Props) =>
  at === null ? (
    <Text span size="sm" c="dimmed">
      {none}
    </Text>
  ) : (
    <Tooltip label={exactly(at)}>
      <Text span size="sm" component="time" dateTime={at}>
        {fromNow(at)}
      </Text>
    </Tooltip>
  );
