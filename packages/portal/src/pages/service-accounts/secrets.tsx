import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { t } from 'i18next';
import { Confirm } from '../../components/confirm.js';
import { notifyDone } from '../../components/notify.js';
import { Section } from '../../components/section.js';
import { AddSecret } from './add-secret.js';
import { SecretsTable } from './secrets-table.js';
import { type Secret, type ServiceAccount, useRevokeSecret } from './use-service-account.js';
import { useSecretState } from './secret-state.js';

/** The current secret and its replacement. */
const MAX_SECRETS = 2;

interface RevokeProps {
  account: ServiceAccount;
  secret: Secret;
  onClose: () => void;
}

function RevokeSecret({ account, secret, onClose }: RevokeProps) {
  const revoke = useRevokeSecret(account.id);
  const confirm = () =>
    revoke.mutate(secret.id, {
      onSuccess: () => {
        notifyDone(t('Secret revoked.'));
        onClose();
      },
    });
  return (
    <Confirm
      title={t('Revoke this secret?')}
      action={t('Revoke')}
      opened
      change={revoke}
      onConfirm={confirm}
      onClose={onClose}
    >
      {account.secrets.length === 1
        ? t('This is the only secret. The account can no longer sign in, and its sessions end immediately.')
        : t(
            'All sessions of the account end immediately. Applications that use the other secret can sign in again.',
          )}
    </Confirm>
  );
}

export function Secrets({ account }: { account: ServiceAccount }) {
  const [isAdding, setIsAdding] = useState(false);
  const [revoking, setRevoking] = useState<Secret>();
  const { color, text } = useSecretState(account);
  const isFull = account.secrets.length >= MAX_SECRETS;
  return (
    <Section
      title={t('Secrets')}
      lead={t('To rotate, add a second secret, update your application, then revoke the first secret.')}
    >
      {color !== 'gray' && (
        <Text size="sm" c={`var(--mantine-color-${color}-light-color)`} role="status">
          {text}
        </Text>
      )}
      {account.secrets.length > 0 && <SecretsTable secrets={account.secrets} onRevoke={setRevoking} />}
      <Group>
        <Button variant="default" disabled={isFull} onClick={() => setIsAdding(true)}>
          {t('Add secret')}
        </Button>
        {isFull && (
          <Text size="sm" c="dimmed">
            {t('You can have up to two secrets. Revoke one to add another.')}
          </Text>
        )}
      </Group>
      {isAdding && <AddSecret account={account} onClose={() => setIsAdding(false)} />}
      {revoking !== undefined && (
        <RevokeSecret account={account} secret={revoking} onClose={() => setRevoking(undefined)} />
      )}
    </Section>
  );
}
