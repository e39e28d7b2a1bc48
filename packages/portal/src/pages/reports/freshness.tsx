import { Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { t } from 'i18next';
import { fromNow } from '../../components/from-now.js';
import { useNow } from '../../components/use-now.js';
import type { components } from '../../api/schema.js';
import { formatDate, formatExact, formatRecent, formatTime, isSameDay } from '../../i18n/format.js';

type Fresh = Pick<
  components['schemas']['ReportDto'],
  'data_as_of' | 'refresh_status' | 'refresh_failed_since'
>;

const RECENT_MS = 180 * 86_400_000;

function asOf(instant: string, now: number): string {
  const isRecent = now - Date.parse(instant) < RECENT_MS;
  const time = isSameDay(instant, now)
    ? formatTime(instant)
    : (isRecent ? formatRecent : formatDate)(instant);
  return t('Data as of {{time}}', { time });
}

/** How old the data is: `Data as of 08:10`; empty when unknown. */
function ageOf({ data_as_of, refresh_status }: Fresh, now: number): string | undefined {
  if (refresh_status === 'live') return t('Live data');
  if (refresh_status === 'running') return t('Refreshing');
  return data_as_of ? asOf(data_as_of, now) : undefined;
}

function failureOf({ refresh_status, refresh_failed_since }: Fresh, now: number): string | undefined {
  if (refresh_status !== 'failed') return undefined;
  return refresh_failed_since
    ? t('Refresh failed {{since}}', { since: fromNow(refresh_failed_since, now) })
    : t('Refresh failed');
}

function exactly({ data_as_of, refresh_failed_since }: Fresh): string {
  const lines = [
    data_as_of && t('Data as of {{time}}', { time: formatExact(data_as_of) }),
    refresh_failed_since && t('Refresh failed {{since}}', { since: formatExact(refresh_failed_since) }),
  ];
  return lines.filter(Boolean).join(' · ');
}

interface Props {
  report: Fresh;
  /** Whether there is newer data than that of `report`. */
  isOutdated?: boolean;
}

/** The age of a report's data and whether its last refresh failed. Nothing when neither is known. */
export function Freshness({ report, isOutdated = false }: Props) {
  const age = useNow((now) => ageOf(report, now));
  const failure = useNow((now) => failureOf(report, now));
  if (age === undefined && failure === undefined) return null;
  return (
    <Text span size="sm" c="dimmed" className="freshness" title={exactly(report)}>
      {age}
      {isOutdated && <span>{t('Newer data available')}</span>}
      {failure !== undefined && (
        <Text span inherit className="freshness-failed">
          <IconAlertTriangle size={14} aria-hidden />
          {failure}
        </Text>
      )}
    </Text>
  );
}
