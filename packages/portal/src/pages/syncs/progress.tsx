import { Card, Group, Loader, Progress, Stack, Text } from '@mantine/core';
import { duration, secondsOf, storyOf, type SyncRun } from './sync-words.js';

interface Props {
  run: SyncRun;
  /** The last run that read everything: as many reports are expected this time. */
  last: SyncRun | undefined;
}

function Bar({ run, last }: Props) {
  const expected = Math.max(last?.reports_seen ?? 0, run.reports_seen);
  if (expected === 0) return null;
  // It is an estimate: all is done when the run says so.
  const percent = Math.min(99, Math.round((run.reports_seen / expected) * 100));
  return (
    <>
      <Progress value={percent} animated aria-label="Progress of the sync" size="lg" />
      <Text size="sm">
        {run.reports_seen} of about {expected} reports, going by the last sync
      </Text>
    </>
  );
}

function countsOf(run: SyncRun): string {
  const counts = [
    `${run.workspaces_seen} workspaces listed`,
    `${run.reports_seen} reports read`,
    `${run.changes} changes`,
    `${run.calls} calls`,
  ];
  if (run.throttled_seconds > 0) counts.push(`Power BI made us wait ${duration(run.throttled_seconds)}`);
  return counts.join(' · ');
}

/** How far a run is. */
export const SyncProgress = ({ run, last }: Props) => {
  const seconds = secondsOf(run);
  return (
    <Stack gap="xs">
      <Group gap="sm" wrap="nowrap">
        <Loader size="xs" aria-hidden />
        <Text fw={600} role="status">
          {run.status === 'queued' ? 'A sync is waiting' : 'A sync is running'}
        </Text>
        {seconds !== null && (
          <Text size="sm" c="dimmed">
            for {duration(seconds)}
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
          {storyOf(run)}
        </Text>
      )}
    </Stack>
  );
};

interface AtWorkProps {
  runs: SyncRun[];
  last: SyncRun | undefined;
}

/** What is being done now, and what follows. */
export function AtWork({ runs, last }: AtWorkProps) {
  const now = runs.find(({ status }) => status === 'running') ?? runs[0];
  if (now === undefined) return null;
  return (
    <Card withBorder>
      <SyncProgress run={now} last={last} />
      {runs.length > 1 && (
        <Text size="sm" mt="xs">
          Another one follows as soon as it has ended.
        </Text>
      )}
    </Card>
  );
}
