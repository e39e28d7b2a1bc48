import { Anchor, Badge, Table, Text } from '@mantine/core';
import { memo } from 'react';
import { Link } from 'react-router';
import { t } from 'i18next';
import { Time } from '../../components/time.js';
import { WideTable } from '../../components/wide-table.js';
import { formatNumber } from '../../i18n/format.js';
import { duration, secondsOf, statuses, type SyncRun, triggers } from './sync-texts.js';

export const SyncStatus = ({ status }: Pick<SyncRun, 'status'>) => (
  <Badge color={statuses[status].color} variant="light" miw="max-content">
    {t(statuses[status].label)}
  </Badge>
);

const Row = memo(function Row({ run }: { run: SyncRun }) {
  const seconds = secondsOf(run);
  return (
    <Table.Tr>
      <Table.Td>
        <SyncStatus status={run.status} />
      </Table.Td>
      <Table.Td>
        <Anchor component={Link} to={`?run=${run.id}`} preventScrollReset>
          <Time at={run.started_at ?? run.queued_at} />
        </Anchor>
      </Table.Td>
      <Table.Td>{t(triggers[run.trigger])}</Table.Td>
      <Table.Td ta="right">{seconds === null ? '–' : duration(seconds)}</Table.Td>
      <Table.Td ta="right">
        {formatNumber(run.workspaces_seen)}
        {run.workspaces_failed > 0 && (
          <Text size="xs" c="red">
            {t('{{count}} failed', { count: run.workspaces_failed })}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">{formatNumber(run.changes)}</Table.Td>
      <Table.Td ta="right">{formatNumber(run.calls)}</Table.Td>
      <Table.Td ta="right">{run.throttled_seconds === 0 ? '–' : duration(run.throttled_seconds)}</Table.Td>
    </Table.Tr>
  );
});

export const SyncTable = ({ runs }: { runs: SyncRun[] }) => (
  <WideTable minWidth={840}>
    <Table highlightOnHover verticalSpacing="sm" style={{ whiteSpace: 'nowrap' }}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Status')}</Table.Th>
          <Table.Th>{t('Started')}</Table.Th>
          <Table.Th>{t('Trigger')}</Table.Th>
          <Table.Th ta="right">{t('Duration')}</Table.Th>
          <Table.Th ta="right">{t('Workspaces')}</Table.Th>
          <Table.Th ta="right">{t('Changes')}</Table.Th>
          <Table.Th ta="right">{t('API calls')}</Table.Th>
          <Table.Th ta="right">{t('Throttled')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {runs.map((run) => (
          <Row key={run.id} run={run} />
        ))}
      </Table.Tbody>
    </Table>
  </WideTable>
);
