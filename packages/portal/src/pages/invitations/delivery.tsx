import { Group, Loader, Text, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconMailOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from 'i18next';
import type { Invitation } from './use-invitations.js';
import { deliveries } from './invitation-texts.js';

const icons: Record<Invitation['delivery'], ReactNode> = {
  queued: <Loader size={14} aria-hidden />,
  sent: <IconCheck size={16} aria-hidden />,
  failed: <IconAlertTriangle size={16} aria-hidden />,
  not_configured: <IconMailOff size={16} aria-hidden />,
};

/** The delivery status of the email, with the reason of a failure. */
export const Delivery = ({ invitation }: { invitation: Invitation }) => {
  const { delivery, delivery_error } = invitation;
  return (
    <div>
      <Group gap={6} wrap="nowrap" c={delivery === 'failed' ? 'red' : undefined}>
        {icons[delivery]}
        <Text size="sm" inherit>
          {t(deliveries[delivery])}
        </Text>
      </Group>
      {delivery_error !== undefined && (
        <Tooltip
          label={delivery_error}
          multiline
          maw={360}
          events={{ hover: true, focus: true, touch: true }}
        >
          <Text size="xs" c="dimmed" maw={220} lineClamp={2}>
            {delivery === 'queued'
              ? t('Last attempt failed: {{reason}}', { reason: delivery_error })
              : delivery_error}
          </Text>
        </Tooltip>
      )}
    </div>
  );
};
