import { Badge, Table, Text } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccessRequest } from '../../access/use-access-requests.js';
import { Time } from '../../components/time.js';
import { WideTable } from '../../components/wide-table.js';
import { msg } from '../../i18n/index.js';
import { Decide } from './decide.js';
import { Target } from './target.js';

const statuses: Record<AccessRequest['status'], { label: string; color: string }> = {
  pending: { label: msg('Pending'), color: 'blue' },
  approved: { label: msg('Approved'), color: 'green' },
  declined: { label: msg('Declined'), color: 'gray' },
};

export function StatusBadge({ status }: Pick<AccessRequest, 'status'>) {
  const { t } = useTranslation();
  const { label, color } = statuses[status];
  return (
    <Badge variant="light" color={color}>
      {t(label)}
    </Badge>
  );
}

const Row = memo(function Row({ request, isLinked }: { request: AccessRequest; isLinked: boolean }) {
  const { t } = useTranslation();
  const { requester_name, requester_email, reason, created_at, status } = request;
  return (
    <Table.Tr aria-current={isLinked} className={isLinked ? 'linked-row' : undefined}>
      <Table.Td>
        <Text size="sm">{requester_name}</Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {requester_email ?? t('Service account')}
        </Text>
      </Table.Td>
      <Table.Td>
        <Target request={request} />
      </Table.Td>
      <Table.Td>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {reason ?? '–'}
        </Text>
      </Table.Td>
      <Table.Td>
        <Time at={created_at} />
      </Table.Td>
      <Table.Td ta="right">
        {status === 'pending' ? <Decide request={request} /> : <StatusBadge status={status} />}
      </Table.Td>
    </Table.Tr>
  );
});

interface Props {
  requests: AccessRequest[];
  /** The request that the link of an email names. */
  linked: string | null;
}

export function RequestsTable({ requests, linked }: Props) {
  const { t } = useTranslation();
  return (
    <WideTable minWidth={640}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('User')}</Table.Th>
            <Table.Th>{t('Requested access to')}</Table.Th>
            <Table.Th>{t('Reason for request')}</Table.Th>
            <Table.Th>{t('Requested')}</Table.Th>
            <Table.Th ta="right">{t('Decision')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {requests.map((request) => (
            <Row key={request.id} request={request} isLinked={request.id === linked} />
          ))}
        </Table.Tbody>
      </Table>
    </WideTable>
  );
}
