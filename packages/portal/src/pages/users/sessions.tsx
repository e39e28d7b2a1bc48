import { Badge, Button, Group, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, read } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { Confirm } from '../../components/confirm.js';
import { notifyDone } from '../../components/notify.js';
import { QueryView } from '../../components/query-view.js';
import { Section } from '../../components/section.js';
import { LoadingRows } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { deviceOf } from '../account/device.js';
import { methods } from '../account/session-row.js';
import type { User } from './use-user.js';

type Session = components['schemas']['SessionDto'];

const Row = ({ session }: { session: Session }) => (
  <Table.Tr>
    <Table.Td>
      <Group gap="xs">
        <span title={session.user_agent}>{deviceOf(session.user_agent)}</span>
        {session.current && <Badge variant="light">this one</Badge>}
      </Group>
    </Table.Td>
    <Table.Td>{session.ip}</Table.Td>
    <Table.Td>
      <Time at={session.created_at} />
      <Text size="xs" c="dimmed">
        {methods[session.method]}
      </Text>
    </Table.Td>
    <Table.Td>
      <Time at={session.last_used_at} />
    </Table.Td>
  </Table.Tr>
);

const SessionsTable = ({ sessions }: { sessions: Session[] }) => (
  <Table.ScrollContainer minWidth={560}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Device</Table.Th>
          <Table.Th>Address</Table.Th>
          <Table.Th>Signed in</Table.Th>
          <Table.Th>Last used</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sessions.map((session) => (
          <Row key={session.id} session={session} />
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

function EndAll({ user, hasCurrent }: { user: User; hasCurrent: boolean }) {
  const [asks, setAsks] = useState(false);
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: () => api.DELETE('/api/users/{id}/sessions', { params: { path: { id: user.id } } }),
    onSuccess: () => {
      notifyDone(`${user.name} was signed out everywhere.`);
      setAsks(false);
      return queryClient.invalidateQueries({ queryKey: ['users', 'sessions', user.id] });
    },
  });
  return (
    <Group>
      <Button color="red" variant="light" onClick={() => setAsks(true)}>
        End all sessions
      </Button>
      <Confirm
        title={`Sign ${user.name} out everywhere?`}
        action="End all sessions"
        opened={asks}
        pending={end.isPending}
        error={end.error}
        onConfirm={() => end.mutate()}
        onClose={() => setAsks(false)}
      >
        They can sign in again at once: to keep them out, disable them.
        {hasCurrent && ' Your own session here is one of them.'}
      </Confirm>
    </Group>
  );
}

export function Sessions({ user }: { user: User }) {
  const query = useQuery({
    queryKey: ['users', 'sessions', user.id],
    queryFn: ({ signal }) =>
      read(api.GET('/api/users/{id}/sessions', { params: { path: { id: user.id } }, signal })),
  });
  return (
    <Section title="Sessions">
      <QueryView query={query} loading={<LoadingRows rows={2} />}>
        {({ sessions }) =>
          sessions.length === 0 ? (
            <Text size="sm" c="dimmed">
              Not signed in anywhere.
            </Text>
          ) : (
            <>
              <SessionsTable sessions={sessions} />
              <EndAll user={user} hasCurrent={sessions.some(({ current }) => current)} />
            </>
          )
        }
      </QueryView>
    </Section>
  );
}
