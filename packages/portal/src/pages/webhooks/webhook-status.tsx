import { Badge } from '@mantine/core';
import { t } from 'i18next';
import { msg } from '../../i18n/index.js';
import type { Webhook } from './use-webhooks.js';

const reasons: Record<NonNullable<Webhook['disabled_reason']>, string> = {
  admin: msg('Disabled by an administrator. Events are kept for 30 days and delivered when it is enabled.'),
  gone: msg('Disabled: the receiver responded that it no longer exists (410).'),
  failing: msg('Disabled: every delivery failed for 5 days.'),
};

/** Why no event is delivered; null while events are delivered. */
export const disabledReason = ({ status, disabled_reason: reason }: Webhook): string | null =>
  status === 'active' ? null : t(reasons[reason ?? 'admin']);

export function WebhookStatus({ webhook: { status, failing_since } }: { webhook: Webhook }) {
  if (status === 'disabled') {
    return (
      <Badge variant="light" color="gray">
        {t('Disabled')}
      </Badge>
    );
  }
  return failing_since === null ? (
    <Badge variant="light" color="green">
      {t('Active')}
    </Badge>
  ) : (
    <Badge variant="light" color="red">
      {t('Failing')}
    </Badge>
  );
}
