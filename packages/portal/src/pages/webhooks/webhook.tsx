import { Alert, Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { t } from 'i18next';
import { Trans } from 'react-i18next';
import { useParams } from 'react-router';
import { changesIn, showSaved } from '../../components/changes-in.js';
import { notifyDone } from '../../components/notify.js';
import { Page } from '../../components/page.js';
import { QueryView } from '../../components/query-view.js';
import { Section } from '../../components/section.js';
import { Time } from '../../components/time.js';
import { WayBack } from '../../components/way-back.js';
import { Deliveries } from './deliveries.js';
import { Ending } from './ending.js';
import { Ping } from './ping.js';
import { RollSecret } from './roll-secret.js';
import { useChangeWebhook, useWebhook, type Webhook } from './use-webhooks.js';
import { WebhookFields, type WebhookValues } from './webhook-fields.js';
import { disabledReason, WebhookStatus } from './webhook-status.js';

function Receiver({ webhook }: { webhook: Webhook }) {
  const form = useForm<WebhookValues>({ initialValues: { url: webhook.url, types: webhook.types } });
  const change = useChangeWebhook(webhook.id);
  const submit = form.onSubmit((submitted) =>
    change.mutate(changesIn(form), {
      onSuccess: ({ url, types }) => {
        showSaved(form, submitted, { url, types });
        notifyDone(t('Changes saved.'));
      },
    }),
  );
  return (
    <Section title={t('Receiver')}>
      <form onSubmit={submit}>
        <Stack maw={640}>
          <WebhookFields form={form} error={change.error} />
          <Group>
            <Button type="submit" disabled={!form.isDirty()} loading={change.isPending}>
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function State({ webhook }: { webhook: Webhook }) {
  const reason = disabledReason(webhook);
  if (reason !== null) {
    return (
      <Alert color="orange" variant="light" role="status">
        {reason}
      </Alert>
    );
  }
  if (webhook.failing_since === null) return null;
  return (
    <Alert color="red" variant="light" role="status">
      <Trans
        i18nKey="Deliveries are failing; first failure: <since />. Next attempt: <next />"
        components={{
          since: <Time at={webhook.failing_since} />,
          next: <Time at={webhook.next_attempt_at} none={t('Not scheduled')} />,
        }}
      />
    </Alert>
  );
}

const Parts = ({ webhook }: { webhook: Webhook }) => (
  <Stack gap="lg">
    <State webhook={webhook} />
    <Deliveries webhook={webhook} />
    <Receiver webhook={webhook} />
    <RollSecret webhook={webhook} />
    <Ending webhook={webhook} />
  </Stack>
);

export function Component() {
  const { id = '' } = useParams();
  const query = useWebhook(id);
  const webhook = query.data;
  return (
    <Page
      title={webhook?.url ?? t('Webhook')}
      above={<WayBack steps={[{ to: '/settings/webhooks', label: t('Webhooks') }]} />}
      lead={
        webhook && (
          <Group gap="xs">
            <WebhookStatus webhook={webhook} />
            <span>
              <Trans i18nKey="Added <time />" components={{ time: <Time at={webhook.created_at} /> }} />
            </span>
          </Group>
        )
      }
      actions={webhook && <Ping webhook={webhook} />}
    >
      <QueryView query={query}>{(found) => <Parts webhook={found} />}</QueryView>
    </Page>
  );
}
