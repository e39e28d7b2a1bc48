import { Text, Tooltip } from '@mantine/core';
import { t } from 'i18next';
import { formatExact } from '../i18n/format.js';
import { fromNow } from './from-now.js';

export { fromNow };

export const exactly = (instant: string): string => formatExact(instant);

interface Props {
  size?: 'xs' | 'sm';
  /** UTC, ISO 8601, as in the API. */
  at: string | null;
  /** Shown without a time. */
  none?: string;
}

/** The relative time, with the exact one as a tooltip. */
export const Time = ({ at, size = 'sm', none = t('Never') }: Props) =>
  at === null ? (
    <Text span size={size} c="dimmed">
      {none}
    </Text>
  ) : (
    <Tooltip label={exactly(at)}>
      <Text span size={size} component="time" dateTime={at}>
        {fromNow(at)}
      </Text>
    </Tooltip>
  );
