import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { t } from 'i18next';
import { InvitationLink } from './share-link.js';
import { Delivery } from './delivery.js';
import { type Invited, type NewInvitation, useInvitation } from './use-invitations.js';
import { isUnsent, type Outcome, outcomeOf, outcomes, unsent } from './invitation-texts.js';

interface Props {
  invited: Invited;
  requested: NewInvitation;
  onAnother: () => void;
  onClose: () => void;
}

/** How the user learns of it. */
function textOf(invited: Invited, outcome: Outcome): string {
  const { invitation } = invited;
  if (invitation.accept_url !== undefined) return t('Share the link below with the user.');
  if (isUnsent(invited)) return t(unsent);
  const text = t(outcomes[outcome].text);
  const isNotified = outcome === 'granted' && invitation.delivery !== 'not_configured';
  return isNotified ? `${text} ${t('They are notified by email.')}` : text;
}

export function InvitedView({ invited, requested, onAnother, onClose }: Props) {
  const { data: current } = useInvitation(invited.invitation);
  const outcome = outcomeOf(invited);
  const { title, color } = outcomes[outcome];
  const link = invited.invitation.accept_url;
  return (
    <Stack>
      <Alert
        color={isUnsent(invited) ? 'orange' : color}
        variant="light"
        title={t(title, { email: requested.email })}
        role="status"
      >
        {textOf(invited, outcome)}
        {outcome === 'granted' && requested.role === 'admin' && (
          <Text size="sm">{t("The role wasn't changed. You can change it on the user's page.")}</Text>
        )}
      </Alert>
      {link === undefined ? <Delivery invitation={current} /> : <InvitationLink link={link} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onAnother}>
          {t('Invite another user')}
        </Button>
        <Button onClick={onClose}>{t('Done')}</Button>
      </Group>
    </Stack>
  );
}
