import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from '../../components/confirm.js';
import { notifyDone } from '../../components/notify.js';
import { Section } from '../../components/section.js';
import { AddSecret } from './add-secret.js';
import { SecretsTable } from './secrets-table.js';
import { type Secret, type ServiceAccount, useRevokeSecret } from './use-service-account.js';
import { secretState } from './secret-state.js';

/** The one in use, and the one that takes its place. */
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
        notifyDone('The secret was revoked.');
        onClose();
      },
    });
  return (
    <Confirm
      title="Revoke this secret?"
      action="Revoke"
      opened
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      {account.secrets.length === 1
        ? 'It is the only one: the program cannot sign in any more, and its sessions end at once.'
        : 'Every session of the account ends at once. Programs that have the other secret sign in again.'}
    </Confirm>
  );
}

export function Secrets({ account }: { account: ServiceAccount }) {
  const [adds, setAdds] = useState(false);
  const [revokes, setRevokes] = useState<Secret>();
  const { color, text } = secretState(account);
  const isFull = account.secrets.length >= MAX_SECRETS;
  return (
    <Section
      title="Secrets"
      lead="To rotate: add a second one, give it to the program, then revoke the first."
    >
      {color !== 'gray' && (
        <Text size="sm" c={`var(--mantine-color-${color}-light-color)`} role="status">
          {text}
        </Text>
      )}
      {account.secrets.length > 0 && <SecretsTable secrets={account.secrets} onRevoke={setRevokes} />}
      <Group>
        <Button variant="default" disabled={isFull} onClick={() => setAdds(true)}>
          Add a secret
        </Button>
        {isFull && (
          <Text size="sm" c="dimmed">
            There are two: revoke one first.
          </Text>
        )}
      </Group>
      {adds && <AddSecret account={account} onClose={() => setAdds(false)} />}
      {revokes !== undefined && (
        <RevokeSecret account={account} secret={revokes} onClose={() => setRevokes(undefined)} />
      )}
    </Section>
  );
}
