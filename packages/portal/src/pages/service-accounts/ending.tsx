import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../api/client.js';
import { Confirm } from '../../components/confirm.js';
import { notifyDone, notifyProblem } from '../../components/notify.js';
import { Section } from '../../components/section.js';
import { type ServiceAccount, useAccountsChanged, useChangeAccount } from './use-service-account.js';

interface Props {
  account: ServiceAccount;
  onClose: () => void;
}

function Disable({ account, onClose }: Props) {
  const change = useChangeAccount(account.id);
  const confirm = () =>
    change.mutate(
      { status: 'disabled' },
      {
        onSuccess: () => {
          notifyDone(`${account.name} was disabled.`);
          onClose();
        },
      },
    );
  return (
    <Confirm
      title={`Disable ${account.name}?`}
      action="Disable"
      opened
      pending={change.isPending}
      error={change.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      Its sessions end at once and its secrets are refused until it is enabled again.
    </Confirm>
  );
}

function Delete({ account, onClose }: Props) {
  const navigate = useNavigate();
  const changed = useAccountsChanged();
  const remove = useMutation({
    mutationFn: () => api.DELETE('/api/service-accounts/{id}', { params: { path: { id: account.id } } }),
    onSuccess: async () => {
      notifyDone(`${account.name} was deleted.`);
      await navigate('/service-accounts', { replace: true });
      await changed();
    },
  });
  return (
    <Confirm
      title={`Delete ${account.name}?`}
      action="Delete for good"
      opened
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Its secrets, sessions and access are removed. This cannot be taken back.
    </Confirm>
  );
}

export function Ending({ account }: { account: ServiceAccount }) {
  const [asks, setAsks] = useState<'disable' | 'delete'>();
  const enabling = useChangeAccount(account.id);
  const enable = () =>
    enabling.mutate(
      { status: 'active' },
      { onSuccess: () => notifyDone(`${account.name} can sign in again.`), onError: notifyProblem },
    );
  const close = () => setAsks(undefined);
  return (
    <Section title="Disable or delete" lead="A disabled account can be enabled again, a deleted one cannot.">
      <Group>
        {account.status === 'active' ? (
          <Button color="red" variant="light" onClick={() => setAsks('disable')}>
            Disable
          </Button>
        ) : (
          <Button variant="default" loading={enabling.isPending} onClick={enable}>
            Enable
          </Button>
        )}
        <Button color="red" variant="outline" onClick={() => setAsks('delete')}>
          Delete
        </Button>
      </Group>
      {asks === 'disable' && <Disable account={account} onClose={close} />}
      {asks === 'delete' && <Delete account={account} onClose={close} />}
    </Section>
  );
}
