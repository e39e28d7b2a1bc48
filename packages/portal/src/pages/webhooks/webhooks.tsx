import { Button } from '@mantine/core';
import { t } from 'i18next';
import { ListView } from '../../components/list-view.js';
import { Page } from '../../components/page.js';
import { Empty } from '../../components/states.js';
import { useNewDialog } from '../../components/use-new-dialog.js';
import { AddWebhook } from './add-webhook.js';
import { useWebhooks } from './use-webhooks.js';
import { WebhooksTable } from './webhooks-table.js';

export function Component() {
  const list = useWebhooks();
  const adding = useNewDialog();
  return (
    <Page
      title={t('Webhooks')}
      lead={t('Other systems receive events, such as a changed grant or a failed sync, as signed requests.')}
      actions={<Button onClick={adding.open}>{t('Add webhook')}</Button>}
    >
      <ListView
        list={list}
        empty={
          <Empty title={t('No webhooks yet')}>
            {t('Add a webhook to notify a chat, a ticket system or your own service.')}
          </Empty>
        }
      >
        {(webhooks) => <WebhooksTable webhooks={webhooks} />}
      </ListView>
      {adding.isOpen && <AddWebhook onClose={adding.close} />}
    </Page>
  );
}
