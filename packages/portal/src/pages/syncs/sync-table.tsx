import { Anchor, Badge, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Time } from '../../components/time.js';
import { duration, secondsOf, statusWords, type SyncRun, triggerWords } from './sync-words.js';

export const SyncStatus = ({ status }: Pick<SyncRun, 'status'>) => (
  <Badge color={statusWords[status].color} variant="light" miw="max-content">
    {statusWords[status].label}
  </Badge>
);

function Row({ run }: { run: SyncRun }) {
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
      <Table.Td>{triggerWords[run.trigger]}</Table.Td>
      <Table.Td ta="right">{seconds === null ? '–' : duration(seconds)}</Table.Td>
      <Table.Td ta="right">
        {run.workspaces_seen}
        {run.workspaces_failed > 0 && (
          <Text size="xs" c="red">
            {run.workspaces_failed} failed
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">{run.changes}</Table.Td>
      <Table.Td ta="right">{run.calls}</Table.Td>
      <Table.Td ta="right">{run.throttled_seconds === 0 ? '–' : duration(run.throttled_seconds)}</Table.Td>
    </Table.Tr>
  );
}

export const SyncTable = ({ runs }: { runs: SyncRun[] }) => (
  <Table.ScrollContainer minWidth={840}>
    <Table highlightOnHover verticalSpacing="sm" style={{ whiteSpace: 'nowrap' }}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Status</Table.Th>
          <Table.Th>Began</Table.Th>
          <Table.Th>Why</Table.Th>
          <Table.Th ta="right">Took</Table.Th>
          <Table.Th ta="right">Workspaces</Table.Th>
          <Table.Th ta="right">Changes</Table.Th>
          <Table.Th ta="right">Calls</Table.Th>
          <Table.Th ta="right">Throttled</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {runs.map((run) => (
          <Row key={run.id} run={run} />
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
