import { Drawer, Group, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { QueryView } from '../../components/query-view.js';
import { exactly } from '../../components/time.js';
import { SyncProgress } from './progress.js';
import { SyncErrors } from './sync-errors.js';
import { SyncStatus } from './sync-table.js';
import { duration, isAtWork, secondsOf, storyOf, type SyncRun, triggerWords } from './sync-words.js';
import { useSync } from './use-syncs.js';

function factsOf(run: SyncRun): [string, ReactNode][] {
  const seconds = secondsOf(run);
  return [
    ['Why', triggerWords[run.trigger]],
    ['Asked for', exactly(run.queued_at)],
    ['Began', run.started_at === null ? 'not yet' : exactly(run.started_at)],
    ['Ended', run.finished_at === null ? 'not yet' : exactly(run.finished_at)],
    ['Took', seconds === null ? '–' : duration(seconds)],
    ['Workspaces', `${run.workspaces_seen}, of which ${run.workspaces_failed} could not be read`],
    ['Reports', run.reports_seen],
    ['Changes written', run.changes],
    ['Calls to Power BI', run.calls],
    ['Waited for Power BI', run.throttled_seconds === 0 ? 'not at all' : duration(run.throttled_seconds)],
  ];
}

const Details = ({ run, last }: { run: SyncRun; last: SyncRun | undefined }) => (
  <Stack>
    {isAtWork(run) ? (
      <SyncProgress run={run} last={last} />
    ) : (
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <SyncStatus status={run.status} />
        <Text size="sm">{storyOf(run)}</Text>
      </Group>
    )}
    <SyncErrors errors={run.errors} />
    <Table variant="vertical" layout="fixed" withTableBorder>
      <Table.Tbody>
        {factsOf(run).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w={160}>{name}</Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Stack>
);

interface Props {
  id: string;
  last: SyncRun | undefined;
  onClose: () => void;
}

/** One run, with everything that is known of it. */
export function SyncDrawer({ id, last, onClose }: Props) {
  const run = useSync(id);
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title="Sync"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <QueryView query={run}>{(data) => <Details run={data} last={last} />}</QueryView>
    </Drawer>
  );
}
