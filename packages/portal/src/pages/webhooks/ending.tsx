import { t } from 'i18next';
import { api } from '../../api/client.js';
import { DisableOrDelete } from '../../components/disable-or-delete.js';
import { useChangeWebhook, useWebhooksChanged, type Webhook } from './use-webhooks.js';

export function Ending({ webhook: { id, url, status } }: { webhook: Webhook }) {
  return (
    <DisableOrDelete
      isActive={status === 'active'}
      useChange={() => useChangeWebhook(id)}
      enabled={t('Webhook enabled.')}
      disabling={{
        title: t('Disable this webhook?'),
        text: t('Events are kept for 30 days and delivered in order when it is enabled again.'),
        done: t('Webhook disabled.'),
      }}
      deleting={{
        title: t('Delete this webhook?'),
        text: t(
          "{{url}} receives no more events. Its secrets and deliveries are deleted. This can't be undone.",
          { url },
        ),
        done: t('Webhook deleted.'),
      }}
      remove={() => api.DELETE('/api/webhooks/{id}', { params: { path: { id } } })}
      list="/settings/webhooks"
      changed={useWebhooksChanged()}
    />
  );
}
