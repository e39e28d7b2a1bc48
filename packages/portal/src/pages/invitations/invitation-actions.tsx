import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { t } from 'i18next';
import { Confirm } from '../../components/confirm.js';
import { notifyDone, notifyProblem } from '../../components/notify.js';
import { isAdmin, useMe } from '../../session/use-session.js';
import { settings } from '../../settings.js';
import { type Invitation, useResend, useRevoke } from './use-invitations.js';

interface Props {
  invitation: Invitation;
  onResent: (resent: Invitation) => void;
}

function Resend({ invitation, onResent }: Props) {
  const resend = useResend((resent) => {
    if (resent.delivery === 'queued')
      notifyDone(t('Sending a new invitation to {{email}}.', { email: resent.email }));
    else if (resent.accept_url === undefined)
      notifyDone(t('The invitation for {{email}} was extended. No email was sent.', { email: resent.email }));
    onResent(resent);
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={resend.isPending}
      aria-label={t('Resend invitation to {{email}}', { email: invitation.email })}
      onClick={() => resend.mutate(invitation, { onError: notifyProblem })}
    >
      {t('Resend')}
    </Button>
  );
}

function Revoke({ invitation }: Pick<Props, 'invitation'>) {
  const [isConfirming, setIsConfirming] = useState(false);
  const revoke = useRevoke(({ email }) => {
    notifyDone(t('Invitation for {{email}} revoked.', { email }));
    setIsConfirming(false);
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        aria-label={t('Revoke invitation for {{email}}', { email: invitation.email })}
        onClick={() => setIsConfirming(true)}
      >
        {t('Revoke')}
      </Button>
      <Confirm
        title={t('Revoke invitation for {{email}}?', { email: invitation.email })}
        action={t('Revoke')}
        opened={isConfirming}
        change={revoke}
        onConfirm={() => revoke.mutate(invitation)}
        onClose={() => setIsConfirming(false)}
      >
        {t('The invitation link stops working. You can invite the user again later.')}
      </Confirm>
    </>
  );
}

export function InvitationActions({ invitation, onResent }: Props) {
  const { data: me } = useMe();
  return (
    <Group gap={4} justify="flex-end" className="row-buttons">
      {/* Without a mail server, a new link is for admins, who pass it on: for others, the last one stays valid. */}
      {(settings.mailConfigured || isAdmin(me)) && <Resend invitation={invitation} onResent={onResent} />}
      <Revoke invitation={invitation} />
    </Group>
  );
}
