import { Table } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccessRequest } from '../../access/use-access-requests.js';
import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';
import { ListView } from '../../components/list-view.js';
import { Section } from '../../components/section.js';
import { Empty } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { StatusBadge } from './requests-table.js';
import { Target } from './target.js';

const Row = memo(({ request }: { request: AccessRequest }) => (
  <Table.Tr>
    <Table.Td>
      <Target request={request} />
    </Table.Td>
    <Table.Td>
      <Time at={request.created_at} />
    </Table.Td>
    <Table.Td>
      <StatusBadge status={request.status} />
    </Table.Td>
  </Table.Tr>
));

/** The requests that the user sent. */
export function OwnRequests() {
  const { t } = useTranslation();
  const list = useList(
    ['access-requests', 'mine'],
    (cursor, signal) =>
      api.GET('/api/access-requests', { params: { query: { mine: true, cursor, limit: 20 } }, signal }),
    ({ access_requests }) => access_requests,
  );
  return (
    <Section title={t('Your requests')}>
      <ListView list={list} empty={<Empty title={t('You have not requested access')} />}>
        {(requests) => (
          <Table verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('Requested access to')}</Table.Th>
                <Table.Th>{t('Requested')}</Table.Th>
                <Table.Th>{t('Status')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {requests.map((request) => (
                <Row key={request.id} request={request} />
              ))}
            </Table.Tbody>
          </Table>
        )}
      </ListView>
    </Section>
  );
}
