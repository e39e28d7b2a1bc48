import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { t } from 'i18next';
import { useNavigate } from 'react-router';
import { OnceDialog } from '../../components/once-dialog.js';
import { useAddWebhook } from './use-webhooks.js';
import { WebhookFields, type WebhookValues } from './webhook-fields.js';
import { WebhookSecret } from './webhook-secret.js';

/** Adds a webhook, shows its secret, then opens its page. */
export function AddWebhook({ onClose }: { onClose: () => void }) {
  const form = useForm<WebhookValues>({ initialValues: { url: '', types: [] } });
  const add = useAddWebhook();
  const navigate = useNavigate();
  const webhook = add.data;
  const show = () => {
    if (webhook !== undefined) void navigate(`/settings/webhooks/${webhook.id}`);
  };
  return (
    <OnceDialog
      title={t('Add webhook')}
      once={webhook && 'secret'}
      onClose={webhook === undefined ? onClose : show}
    >
      {(done, cancel) =>
        webhook === undefined ? (
          <form onSubmit={form.onSubmit((values) => add.mutate(values))}>
            <Stack>
              <WebhookFields form={form} error={add.error} />
              <Group justify="flex-end">
                <Button variant="default" onClick={cancel}>
                  {t('Cancel')}
                </Button>
                <Button type="submit" loading={add.isPending}>
                  {t('Add')}
                </Button>
              </Group>
            </Stack>
          </form>
        ) : (
          <WebhookSecret secret={webhook.secret ?? ''} onDone={done} />
        )
      }
    </OnceDialog>
  );
}
