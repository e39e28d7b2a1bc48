import { Group, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from 'i18next';
import { QueryView } from '../../components/query-view.js';
import { SidePanel } from '../../components/side-panel.js';
import { exactly } from '../../components/time.js';
import { formatNumber } from '../../i18n/format.js';
import { SyncProgress } from './progress.js';
import { SyncErrors } from './sync-errors.js';
import { SyncStatus } from './sync-table.js';
import { duration, isActive, secondsOf, summaryOf, type SyncRun, triggers } from './sync-texts.js';
import { useSync } from './use-syncs.js';

function factsOf(run: SyncRun): [string, ReactNode][] {
  const seconds = secondsOf(run);
  return [
    [t('Trigger'), t(triggers[run.trigger])],
    [t('Queued'), exactly(run.queued_at)],
    [t('Started'), run.started_at === null ? '–' : exactly(run.started_at)],
    [t('Finished'), run.finished_at === null ? '–' : exactly(run.finished_at)],
    [t('Duration'), seconds === null ? '–' : duration(seconds)],
    [t('Workspaces'), formatNumber(run.workspaces_seen)],
    [t('Failed workspaces'), formatNumber(run.workspaces_failed)],
    [t('Reports'), formatNumber(run.reports_seen)],
    [t('Changes'), formatNumber(run.changes)],
    [t('Power BI API calls'), formatNumber(run.calls)],
    [t('Throttled'), run.throttled_seconds === 0 ? '–' : duration(run.throttled_seconds)],
  ];
}

const Details = ({ run, last }: { run: SyncRun; last: SyncRun | undefined }) => (
  <Stack>
    {isActive(run) ? (
      <SyncProgress run={run} last={last} />
    ) : (
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <SyncStatus status={run.status} />
        <Text size="sm">{summaryOf(run)}</Text>
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

/** The details of one run. */
export function SyncDrawer({ id, last, onClose }: Props) {
  const run = useSync(id);
  return (
    <SidePanel title={t('Sync')} onClose={onClose}>
      <QueryView query={run}>{(data) => <Details run={data} last={last} />}</QueryView>
    </SidePanel>
  );
}
