import { Badge, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { Confirm } from '../../components/confirm.js';
import { Time } from '../../components/time.js';
import { deviceOf } from './device.js';
import { useEnd } from './use-end.js';

export type Session = components['schemas']['SessionDto'];

/** Ends `signed in …`. */
export const methods: Record<Session['method'], string> = {
  password: 'by password',
  oidc: 'with your organisation',
  invitation: 'by an invitation',
  exchange: 'through another application',
  client: 'as a service account',
};

function End({ session }: { session: Session }) {
  const [opened, setOpened] = useState(false);
  const device = deviceOf(session.user_agent);
  const end = useEnd(
    () => api.DELETE('/api/auth/sessions/{id}', { params: { path: { id: session.id } } }),
    'The session has ended.',
    () => setOpened(false),
  );
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={`End the session of ${device}`}
        onClick={() => setOpened(true)}
      >
        End
      </Button>
      <Confirm
        title="End this session?"
        action="End it"
        opened={opened}
        pending={end.isPending}
        error={end.error}
        onConfirm={() => end.mutate()}
        onClose={() => setOpened(false)}
      >
        {device} at {session.ip} will have to sign in again.
      </Confirm>
    </>
  );
}

export const SessionRow = ({ session }: { session: Session }) => (
  <Group
    justify="space-between"
    wrap="nowrap"
    align="flex-start"
    role="group"
    aria-label={deviceOf(session.user_agent)}
  >
    <div>
      <Group gap="xs">
        <Text fw={500} title={session.user_agent}>
          {deviceOf(session.user_agent)}
        </Text>
        {session.current && (
          <Badge variant="light" color="teal">
            this one
          </Badge>
        )}
      </Group>
      <Text size="sm" component="div">
        {session.ip} · signed in {methods[session.method]} <Time at={session.created_at} /> · last used{' '}
        <Time at={session.last_used_at} />
      </Text>
    </div>
    {!session.current && <End session={session} />}
  </Group>
);
