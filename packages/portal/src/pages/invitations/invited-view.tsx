import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { AcceptLink } from './hand-on.js';
import { Delivery } from './delivery.js';
import { type Invited, type NewInvitation, useInvitation } from './use-invitations.js';
import { outcomeOf, outcomes } from './words.js';

interface Props {
  invited: Invited;
  asked: NewInvitation;
  onAnother: () => void;
  onClose: () => void;
}

export function InvitedView({ invited, asked, onAnother, onClose }: Props) {
  const { data: current } = useInvitation(invited.invitation);
  const outcome = outcomeOf(invited, asked);
  const { title, text, color } = outcomes[outcome];
  const link = invited.invitation.accept_url;
  return (
    <Stack>
      <Alert color={color} variant="light" title={`${asked.email}: ${title}`} role="status">
        {link === undefined ? text : 'They were invited, and need the link below.'}
        {outcome === 'given' && asked.role === 'admin' && (
          <Text size="sm">Their role has not changed: change it on their own page.</Text>
        )}
      </Alert>
      {link === undefined ? <Delivery invitation={current} /> : <AcceptLink link={link} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onAnother}>
          Invite another
        </Button>
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
