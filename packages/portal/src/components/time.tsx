import { Text, Tooltip } from '@mantine/core';
import { t } from 'i18next';
import { formatClock, formatExact } from '../i18n/format.js';
import { fromNow } from './from-now.js';

export { fromNow };

/** `11:42:07 AM`, for times today. */
export const exactTime = (instant: string): string => formatClock(instant);

export const exactly = (instant: string): string => formatExact(instant);

interface Props {
  /** UTC, ISO 8601, as in the API. */
  at: string | null;
  /** Shown without a time. */
  none?: string;
}

/** The relative time, with the exact one as a tooltip. */
export const Time = ({ at, none = t('Never') }: Props) =>
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
