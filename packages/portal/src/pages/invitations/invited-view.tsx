import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { t } from 'i18next';
import { InvitationLink } from './share-link.js';
import { Delivery } from './delivery.js';
import { type Invited, type NewInvitation, useInvitation } from './use-invitations.js';
import { outcomeOf, outcomes } from './invitation-texts.js';

interface Props {
  invited: Invited;
  requested: NewInvitation;
  onAnother: () => void;
  onClose: () => void;
}

export function InvitedView({ invited, requested, onAnother, onClose }: Props) {
  const { data: current } = useInvitation(invited.invitation);
  const outcome = outcomeOf(invited);
  const { title, text, color } = outcomes[outcome];
  const link = invited.invitation.accept_url;
  return (
    <Stack>
      <Alert color={color} variant="light" title={t(title, { email: requested.email })} role="status">
        {link === undefined ? t(text) : t('Share the link below with the user.')}
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
