import { Text, Tooltip } from '@mantine/core';
import { t } from 'i18next';
import { formatExact } from '../i18n/format.js';
import { fromNow } from './from-now.js';
import { useNow } from './use-now.js';

export const exactly = (instant: string): string => formatExact(instant);

const FromNow = ({ at }: { at: string }) => useNow((now) => fromNow(at, now));

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
        <FromNow at={at} />
      </Text>
    </Tooltip>
  );
