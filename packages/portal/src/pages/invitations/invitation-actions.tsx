import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from '../../components/confirm.js';
import { notifyDone, notifyProblem } from '../../components/notify.js';
import { type Invitation, useResend, useRevoke } from './use-invitations.js';

interface Props {
  invitation: Invitation;
  onResent: (resent: Invitation) => void;
}

function Resend({ invitation, onResent }: Props) {
  const resend = useResend((resent) => {
    if (resent.delivery === 'queued') notifyDone(`A new mail to ${resent.email} is on its way.`);
    onResent(resent);
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={resend.isPending}
      aria-label={`Send again: the invitation of ${invitation.email}`}
      onClick={() => resend.mutate(invitation, { onError: notifyProblem })}
    >
      Send again
    </Button>
  );
}

function Revoke({ invitation }: Pick<Props, 'invitation'>) {
  const [asks, setAsks] = useState(false);
  const revoke = useRevoke(({ email }) => {
    notifyDone(`The invitation of ${email} was revoked.`);
    setAsks(false);
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        aria-label={`Revoke the invitation of ${invitation.email}`}
        onClick={() => setAsks(true)}
      >
        Revoke
      </Button>
      <Confirm
        title={`Revoke the invitation of ${invitation.email}?`}
        action="Revoke"
        opened={asks}
        pending={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoke.mutate(invitation)}
        onClose={() => setAsks(false)}
      >
        The link in their mail stops working. You can invite them again.
      </Confirm>
    </>
  );
}

export const InvitationActions = ({ invitation, onResent }: Props) => (
  <Group gap={4} justify="flex-end" className="row-buttons">
    <Resend invitation={invitation} onResent={onResent} />
    <Revoke invitation={invitation} />
  </Group>
);
