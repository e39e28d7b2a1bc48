import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from '../../components/confirm.js';
import { notifyDone } from '../../components/notify.js';
import { Section } from '../../components/section.js';
import { ProblemAlert } from '../../components/states.js';
import { useMe } from '../../session/use-session.js';
import { type User, useChangeUser } from './use-user.js';

interface Props {
  user: User;
  change: ReturnType<typeof useChangeUser>;
}

function Disable({ user, change }: Props) {
  const { data: me } = useMe();
  const [asks, setAsks] = useState(false);
  const disable = () =>
    change.mutate(
      { status: 'disabled' },
      {
        onSuccess: () => notifyDone(`${user.name} was disabled and signed out.`),
      },
    );
  return (
    <Group>
      <Button color="red" variant="light" onClick={() => setAsks(true)}>
        Disable
      </Button>
      <Confirm
        title={`Disable ${user.name}?`}
        action="Disable"
        opened={asks}
        pending={change.isPending}
        error={change.error}
        onConfirm={disable}
        onClose={() => {
          change.reset();
          setAsks(false);
        }}
      >
        {me?.id === user.id
          ? 'This is you: you are signed out at once, and only another admin can bring you back.'
          : 'Every session of theirs ends at once, and they cannot sign in until they are enabled again. Name, ' +
            'attributes and access are kept. A report that is open now can stay open until its token ends.'}
      </Confirm>
    </Group>
  );
}

function Enable({ user, change }: Props) {
  const enable = () =>
    change.mutate({ status: 'active' }, { onSuccess: () => notifyDone(`${user.name} can sign in again.`) });
  return (
    <>
      {change.error !== null && <ProblemAlert error={change.error} />}
      <Group>
        <Button variant="default" loading={change.isPending} onClick={enable}>
          Enable
        </Button>
      </Group>
    </>
  );
}

/** The change is kept here: what asks for it is gone as soon as it is made. */
export function Status({ user }: { user: User }) {
  const change = useChangeUser(user.id);
  return user.status === 'active' ? (
    <Section title="Active" lead="Can sign in. Disabling ends that at once, and can be taken back.">
      <Disable user={user} change={change} />
    </Section>
  ) : (
    <Section
      title="Disabled"
      lead="Cannot sign in. Enabled again, they have the role, the attributes and the access that they had; they sign in anew."
    >
      <Enable user={user} change={change} />
    </Section>
  );
}
