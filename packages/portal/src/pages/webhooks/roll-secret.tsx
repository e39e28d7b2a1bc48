import { Button, Group, Stack, Text } from '@mantine/core';
import { t } from 'i18next';
import { useState } from 'react';
import { OnceDialog } from '../../components/once-dialog.js';
import { Section } from '../../components/section.js';
import { ProblemAlert } from '../../components/states.js';
import { exactly } from '../../components/time.js';
import { useRollSecret, type Webhook } from './use-webhooks.js';
import { WebhookSecret } from './webhook-secret.js';

function RollDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const roll = useRollSecret(webhook.id);
  const until = roll.data?.previous_expires_at ?? null;
  const hint =
    until === null
      ? undefined
      : t('The previous secret signs until {{time}}, too.', { time: exactly(until) });
  return (
    <OnceDialog title={t('Roll signing secret')} once={roll.data && 'secret'} onClose={onClose}>
      {(done, cancel) =>
        roll.data === undefined ? (
          <Stack>
            {roll.error !== null && <ProblemAlert error={roll.error} />}
            <Text size="sm">
              {t(
                'Creates another secret. For 24 hours each delivery has the signatures of both, so that you can update the receiver.',
              )}
            </Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={cancel} data-autofocus>
                {t('Cancel')}
              </Button>
              <Button loading={roll.isPending} onClick={() => roll.mutate(undefined)}>
                {t('Roll secret')}
              </Button>
            </Group>
          </Stack>
        ) : (
          <WebhookSecret secret={roll.data.secret ?? ''} hint={hint} onDone={done} />
        )
      }
    </OnceDialog>
  );
}

export function RollSecret({ webhook }: { webhook: Webhook }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Section
      title={t('Signing secret')}
      lead={t('The receiver verifies the signature of each request with it (Standard Webhooks).')}
    >
      <Group>
        <Button variant="default" onClick={() => setIsOpen(true)}>
          {t('Roll secret')}
        </Button>
      </Group>
      {isOpen && <RollDialog webhook={webhook} onClose={() => setIsOpen(false)} />}
    </Section>
  );
}
