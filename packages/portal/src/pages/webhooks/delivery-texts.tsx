import { Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { t } from 'i18next';
import { msg } from '../../i18n/index.js';
import type { Delivery } from './use-webhooks.js';

const errors: Record<NonNullable<Delivery['error']>, string> = {
  status: msg('The receiver responded with an error'),
  redirect: msg('The receiver redirects, which is not followed'),
  timeout: msg('No response in time'),
  connection: msg('Connection failed'),
  tls: msg('TLS certificate rejected'),
  not_http: msg('Invalid response'),
  name_not_resolved: msg('The host name cannot be resolved'),
  address_not_public: msg('The host has no public address'),
  url_not_allowed: msg('The URL is not allowed'),
  secret_not_readable: msg('The secret cannot be decrypted'),
};

export const statuses: Record<Delivery['status'], string> = {
  succeeded: msg('Succeeded'),
  failed: msg('Failed'),
};

/** `Succeeded (204)`, `No response in time`. */
export function resultOf({ status, status_code: code, error }: Delivery): string {
  const text = error === null ? t(statuses[status]) : t(errors[error]);
  return code === null ? text : `${text} (${code})`;
}

export const DeliveryResult = ({ delivery }: { delivery: Delivery }) => {
  const failed = delivery.status === 'failed';
  const Icon = failed ? IconAlertTriangle : IconCheck;
  return (
    <Group gap={6} wrap="nowrap" c={failed ? 'red' : undefined}>
      <Icon size={16} aria-hidden style={{ flexShrink: 0 }} />
      <Text size="sm" inherit>
        {resultOf(delivery)}
      </Text>
    </Group>
  );
};
