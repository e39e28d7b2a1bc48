import { Card, Group, Loader, Progress, Stack, Text } from '@mantine/core';
import { t } from 'i18next';
import { duration, secondsOf, summaryOf, type SyncRun } from './sync-texts.js';

interface Props {
  run: SyncRun;
  /** The last successful run: as many reports are expected this time. */
  last: SyncRun | undefined;
}

/** Without an estimate that the run has already exceeded. */
function progressOf({ reports_seen: count }: SyncRun, last: SyncRun | undefined): string {
  const total = last?.reports_seen ?? 0;
  return total > count
    ? t('{{done}} of about {{total}} reports', { done: count, total })
    : t('{{count}} reports', { count });
}

function Bar({ run, last }: Props) {
  const expected = Math.max(last?.reports_seen ?? 0, run.reports_seen);
  if (expected === 0) return null;
  // An estimate: only the status of the run means complete.
  const percent = Math.min(99, Math.round((run.reports_seen / expected) * 100));
  return (
    <>
      <Progress value={percent} animated aria-label={t('Sync progress')} size="lg" />
      <Text size="sm">{progressOf(run, last)}</Text>
    </>
  );
}

function countsOf(run: SyncRun): string {
  const counts = [
    t('{{count}} workspaces', { count: run.workspaces_seen }),
    t('{{count}} reports', { count: run.reports_seen }),
    t('{{count}} changes', { count: run.changes }),
    t('{{count}} API calls', { count: run.calls }),
  ];
  if (run.throttled_seconds > 0) {
    counts.push(t('Throttled for {{duration}}', { duration: duration(run.throttled_seconds) }));
  }
  return counts.join(' · ');
}

/** The progress of a run. */
export const SyncProgress = ({ run, last }: Props) => {
  const seconds = secondsOf(run);
  return (
    <Stack gap="xs">
      <Group gap="sm" wrap="nowrap">
        <Loader size="xs" aria-hidden />
        <Text fw={600} role="status">
          {run.status === 'queued' ? t('Sync queued') : t('Sync in progress')}
        </Text>
        {seconds !== null && (
          <Text size="sm" c="dimmed">
            {duration(seconds)}
          </Text>
        )}
      </Group>
      {run.status === 'running' ? (
        <>
          <Bar run={run} last={last} />
          <Text size="sm" c="dimmed">
            {countsOf(run)}
          </Text>
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {summaryOf(run)}
        </Text>
      )}
    </Stack>
  );
};

interface ActiveSyncsProps {
  runs: SyncRun[];
  last: SyncRun | undefined;
}

/** The running sync, and whether another one is queued. */
export function ActiveSyncs({ runs, last }: ActiveSyncsProps) {
  const now = runs.find(({ status }) => status === 'running') ?? runs[0];
  if (now === undefined) return null;
  return (
    <Card withBorder>
      <SyncProgress run={now} last={last} />
      {runs.length > 1 && (
        <Text size="sm" mt="xs">
          {t('Another sync is queued and starts when this one finishes.')}
        </Text>
      )}
    </Card>
  );
}
