import { Button, Group } from '@mantine/core';
import { t } from 'i18next';
import { useState } from 'react';
import { Filter, useFilter } from '../../components/filter.js';
import { ListView } from '../../components/list-view.js';
import { Section } from '../../components/section.js';
import { Empty } from '../../components/states.js';
import { optionsOf } from '../../i18n/options.js';
import { DeliveriesTable } from './deliveries-table.js';
import { statuses } from './delivery-texts.js';
import { RedeliverPeriod } from './redeliver-period.js';
import { useDeliveries, type Webhook } from './use-webhooks.js';

/** The attempts of the last 30 days. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const [isRedelivering, setIsRedelivering] = useState(false);
  const status = useFilter('status', optionsOf(statuses));
  const list = useDeliveries(webhook.id, status);
  const isActive = webhook.status === 'active';
  return (
    <Section
      title={t('Deliveries')}
      lead={
        isActive
          ? t('Attempts of the last 30 days. A failed event is sent again, and later events wait for it.')
          : t('Attempts of the last 30 days. Enable the webhook to redeliver events.')
      }
      actions={
        <Button variant="default" disabled={!isActive} onClick={() => setIsRedelivering(true)}>
          {t('Redeliver a period')}
        </Button>
      }
    >
      <Group>
        <Filter label={t('Any result')} parameter="status" options={optionsOf(statuses)} />
      </Group>
      <ListView
        list={list}
        empty={
          <Empty order={3} title={t('No deliveries')}>
            {t('Send a ping to test the receiver.')}
          </Empty>
        }
      >
        {(deliveries) => <DeliveriesTable webhook={webhook} deliveries={deliveries} />}
      </ListView>
      {isRedelivering && <RedeliverPeriod webhook={webhook} onClose={() => setIsRedelivering(false)} />}
    </Section>
  );
}
