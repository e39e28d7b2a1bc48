import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from '../../components/confirm.js';
import { notifyDone, notifyProblem } from '../../components/notify.js';
import { HandOn } from './hand-on.js';
import { type Invitation, useResend, useRevoke } from './use-invitations.js';

function Resend({ invitation }: { invitation: Invitation }) {
  const [link, setLink] = useState<string>();
  const resend = useResend();
  const send = () =>
    resend.mutate(invitation, {
      onSuccess: ({ accept_url, delivery }) => {
        setLink(accept_url);
        if (delivery === 'queued') notifyDone(`A new mail to ${invitation.email} is on its way.`);
      },
      onError: notifyProblem,
    });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={resend.isPending}
        aria-label={`Send the invitation of ${invitation.email} again`}
        onClick={send}
      >
        Send again
      </Button>
      {link !== undefined && (
        <HandOn email={invitation.email} link={link} onClose={() => setLink(undefined)} />
      )}
    </>
  );
}

function Revoke({ invitation }: { invitation: Invitation }) {
  const [asks, setAsks] = useState(false);
  const revoke = useRevoke();
  const confirm = () =>
    revoke.mutate(invitation, {
      onSuccess: () => {
        notifyDone(`The invitation of ${invitation.email} was revoked.`);
        setAsks(false);
      },
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
        onConfirm={confirm}
        onClose={() => setAsks(false)}
      >
        The link in their mail stops working. You can invite them again.
      </Confirm>
    </>
  );
}

export const InvitationActions = ({ invitation }: { invitation: Invitation }) => (
  <Group gap={4} justify="flex-end" wrap="nowrap">
    <Resend invitation={invitation} />
    <Revoke invitation={invitation} />
  </Group>
);
