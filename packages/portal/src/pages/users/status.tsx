import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { t } from 'i18next';
import { Confirm } from '../../components/confirm.js';
import { notifyDone } from '../../components/notify.js';
import { Section } from '../../components/section.js';
import { ProblemAlert } from '../../components/states.js';
import { useMe } from '../../session/use-session.js';
import { isProvisioned, type User, useChangeUser } from './use-user.js';

interface Props {
  user: User;
  change: ReturnType<typeof useChangeUser>;
}

function Disable({ user, change }: Props) {
  const { data: me } = useMe();
  const [isConfirming, setIsConfirming] = useState(false);
  const disable = () =>
    change.mutate(
      { status: 'disabled' },
      {
        onSuccess: () => notifyDone(t('{{name}} was disabled and signed out.', { name: user.name })),
      },
    );
  return (
    <Group>
      <Button
        color="red"
        variant="light"
        disabled={isProvisioned(user)}
        onClick={() => setIsConfirming(true)}
      >
        {t('Disable')}
      </Button>
      <Confirm
        title={t('Disable {{name}}?', { name: user.name })}
        action={t('Disable')}
        opened={isConfirming}
        change={change}
        onConfirm={disable}
        onClose={() => setIsConfirming(false)}
      >
        {me?.id === user.id
          ? t(
              'This is your own account. You will be signed out immediately, and only another administrator can enable it again.',
            )
          : t(
              "All sessions of the user end immediately, and the user can't sign in until enabled again. Name, attributes and access are kept. Open reports may stay visible until their embed tokens expire.",
            )}
      </Confirm>
    </Group>
  );
}

function Enable({ user, change }: Props) {
  const enable = () =>
    change.mutate(
      { status: 'active' },
      { onSuccess: () => notifyDone(t('{{name}} was enabled.', { name: user.name })) },
    );
  return (
    <>
      {change.error !== null && <ProblemAlert error={change.error} />}
      <Group>
        <Button variant="default" disabled={isProvisioned(user)} loading={change.isPending} onClick={enable}>
          {t('Enable')}
        </Button>
      </Group>
    </>
  );
}

/** Holds the mutation, because the component that starts it unmounts when the status changes. */
export function Status({ user }: { user: User }) {
  const change = useChangeUser(user.id);
  return user.status === 'active' ? (
    <Section
      title={t('Disable user')}
      lead={t('Signs the user out and blocks sign-in. You can enable the user again later.')}
    >
      <Disable user={user} change={change} />
    </Section>
  ) : (
    <Section
      title={t('Enable user')}
      lead={t(
        "This user is disabled and can't sign in. Enabling restores their role, attributes and access.",
      )}
    >
      <Enable user={user} change={change} />
    </Section>
  );
}
