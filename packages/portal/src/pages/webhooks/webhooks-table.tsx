import { Anchor, Group, Skeleton, Table, Text } from '@mantine/core';
import { t } from 'i18next';
import { memo } from 'react';
import { Link } from 'react-router';
import { Time } from '../../components/time.js';
import { WideTable } from '../../components/wide-table.js';
import { DeliveryResult } from './delivery-texts.js';
import { useLastDelivery, type Webhook } from './use-webhooks.js';
import { WebhookStatus } from './webhook-status.js';

export const typesText = (types: readonly string[]): string =>
  types.length === 0 ? t('All event types') : types.join(', ');

function LastDelivery({ id }: { id: string }) {
  const { data, isPending, isError } = useLastDelivery(id);
  if (isPending) return <Skeleton height={20} />;
  if (data === undefined || data === null)
    return <Time at={null} none={isError ? t('Unknown') : undefined} />;
  return (
    <Group gap={6}>
      <DeliveryResult delivery={data} />
      <Time at={data.at} />
    </Group>
  );
}

const Row = memo(({ webhook }: { webhook: Webhook }) => (
  <Table.Tr>
    <Table.Td style={{ overflowWrap: 'anywhere' }}>
      <Anchor component={Link} to={`/settings/webhooks/${webhook.id}`}>
        {webhook.url}
      </Anchor>
    </Table.Td>
    <Table.Td>
      <Text size="sm" lineClamp={2} title={typesText(webhook.types)}>
        {typesText(webhook.types)}
      </Text>
    </Table.Td>
    <Table.Td>
      <WebhookStatus webhook={webhook} />
    </Table.Td>
    <Table.Td>
      <LastDelivery id={webhook.id} />
    </Table.Td>
  </Table.Tr>
));

export const WebhooksTable = ({ webhooks }: { webhooks: Webhook[] }) => (
  <WideTable minWidth={720}>
    <Table highlightOnHover verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('URL')}</Table.Th>
          <Table.Th w="28%">{t('Event types')}</Table.Th>
          <Table.Th w={110}>{t('Status')}</Table.Th>
          <Table.Th w="26%">{t('Last delivery')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {webhooks.map((webhook) => (
          <Row key={webhook.id} webhook={webhook} />
        ))}
      </Table.Tbody>
    </Table>
  </WideTable>
);
