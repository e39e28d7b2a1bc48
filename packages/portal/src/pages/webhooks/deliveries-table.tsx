import { Button, Table, Text } from '@mantine/core';
import { t } from 'i18next';
import { memo } from 'react';
import { HiddenHeader } from '../../components/hidden-header.js';
import { notifyDone, notifyProblem } from '../../components/notify.js';
import { exactly, Time } from '../../components/time.js';
import { WideTable } from '../../components/wide-table.js';
import { formatNumber } from '../../i18n/format.js';
import { DeliveryResult } from './delivery-texts.js';
import { type Delivery, useRedeliver, type Webhook } from './use-webhooks.js';

interface RowProps {
  webhook: Webhook;
  delivery: Delivery;
}

function Redeliver({ webhook, delivery }: RowProps) {
  const redeliver = useRedeliver(webhook.id);
  const send = () =>
    redeliver.mutate(delivery, {
      onSuccess: () => notifyDone(t('The event is delivered again.')),
      onError: notifyProblem,
    });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={redeliver.isPending}
      aria-label={t('Redeliver {{type}} of {{time}}', {
        type: delivery.event_type,
        time: exactly(delivery.at),
      })}
      onClick={send}
    >
      {t('Redeliver')}
    </Button>
  );
}

const Row = memo(({ webhook, delivery }: RowProps) => (
  <Table.Tr>
    <Table.Td>
      <Time at={delivery.at} />
    </Table.Td>
    <Table.Td>
      <Text size="sm">{delivery.event_type}</Text>
      {delivery.kind === 'redelivery' && (
        <Text size="xs" c="dimmed">
          {t('Redelivery')}
        </Text>
      )}
    </Table.Td>
    <Table.Td>
      <DeliveryResult delivery={delivery} />
    </Table.Td>
    <Table.Td ta="right">{t('{{ms}} ms', { ms: delivery.duration_ms })}</Table.Td>
    <Table.Td ta="right">{formatNumber(delivery.attempt)}</Table.Td>
    <Table.Td>
      <Time at={delivery.next_attempt_at} none="–" />
    </Table.Td>
    <Table.Td className="row-actions" ta="right">
      {delivery.kind !== 'ping' && webhook.status === 'active' && <Redeliver {...{ webhook, delivery }} />}
    </Table.Td>
  </Table.Tr>
));

export const DeliveriesTable = ({ webhook, deliveries }: { webhook: Webhook; deliveries: Delivery[] }) => (
  <WideTable minWidth={820}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Time')}</Table.Th>
          <Table.Th>{t('Event type')}</Table.Th>
          <Table.Th>{t('Result')}</Table.Th>
          <Table.Th ta="right">{t('Duration')}</Table.Th>
          <Table.Th ta="right">{t('Attempt')}</Table.Th>
          <Table.Th>{t('Next attempt')}</Table.Th>
          <HiddenHeader label={t('Actions')} className="row-actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {deliveries.map((delivery) => (
          <Row key={delivery.id} webhook={webhook} delivery={delivery} />
        ))}
      </Table.Tbody>
    </Table>
  </WideTable>
);
