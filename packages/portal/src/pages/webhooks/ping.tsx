import { Button } from '@mantine/core';
import { t } from 'i18next';
import { notifyDone, notifyFailure, notifyProblem } from '../../components/notify.js';
import { resultOf } from './delivery-texts.js';
import { type Delivery, usePing, type Webhook } from './use-webhooks.js';

function report(delivery: Delivery): void {
  const result = resultOf(delivery);
  if (delivery.status === 'failed') notifyFailure(t('Ping failed: {{result}}', { result }));
  else notifyDone(t('Ping delivered in {{ms}} ms', { ms: delivery.duration_ms }));
}

/** Sends a test message, also to a disabled webhook. */
export function Ping({ webhook }: { webhook: Webhook }) {
  const ping = usePing(webhook.id);
  return (
    <Button
      variant="default"
      loading={ping.isPending}
      onClick={() => ping.mutate(undefined, { onSuccess: report, onError: notifyProblem })}
    >
      {t('Send ping')}
    </Button>
  );
}
