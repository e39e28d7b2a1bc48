import { Badge, Button, Group, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from 'i18next';
import { api, read } from '../../api/client.js';
import type { components } from '../../api/schema.js';
import { Confirm } from '../../components/confirm.js';
import { notifyDone } from '../../components/notify.js';
import { QueryView } from '../../components/query-view.js';
import { Section } from '../../components/section.js';
import { LoadingRows } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { WideTable } from '../../components/wide-table.js';
import { deviceOf } from '../account/device.js';
import { methods } from '../account/session-row.js';
import type { User } from './use-user.js';

type Session = components['schemas']['SessionDto'];

const Row = ({ session }: { session: Session }) => (
  <Table.Tr>
    <Table.Td>
      <Group gap="xs">
        <span title={session.user_agent}>{deviceOf(session.user_agent)}</span>
        {session.current && <Badge variant="light">{t('This device')}</Badge>}
      </Group>
    </Table.Td>
    <Table.Td>{session.ip}</Table.Td>
    <Table.Td>
      <Time at={session.created_at} />
      <Text size="xs" c="dimmed">
        {t(methods[session.method])}
      </Text>
    </Table.Td>
    <Table.Td>
      <Time at={session.last_used_at} />
    </Table.Td>
  </Table.Tr>
);

const SessionsTable = ({ sessions }: { sessions: Session[] }) => (
  <WideTable minWidth={560}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Device')}</Table.Th>
          <Table.Th>{t('IP address')}</Table.Th>
          <Table.Th>{t('Signed in')}</Table.Th>
          <Table.Th>{t('Last active')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sessions.map((session) => (
          <Row key={session.id} session={session} />
        ))}
      </Table.Tbody>
    </Table>
  </WideTable>
);

function SignOutEverywhere({ user, hasCurrent }: { user: User; hasCurrent: boolean }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: () => api.DELETE('/api/users/{id}/sessions', { params: { path: { id: user.id } } }),
    onSuccess: () => {
      notifyDone(t('{{name}} was signed out everywhere.', { name: user.name }));
      setIsConfirming(false);
      return queryClient.invalidateQueries({ queryKey: ['users', 'sessions', user.id] });
    },
  });
  return (
    <Group>
      <Button color="red" variant="light" onClick={() => setIsConfirming(true)}>
        {t('Sign out everywhere')}
      </Button>
      <Confirm
        title={t('Sign out {{name}} everywhere?', { name: user.name })}
        action={t('Sign out everywhere')}
        opened={isConfirming}
        change={end}
        onConfirm={() => end.mutate()}
        onClose={() => setIsConfirming(false)}
      >
        {hasCurrent
          ? t('This includes your current session.')
          : t('The user can sign in again immediately. To prevent this, disable the user.')}
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
    <Section title={t('Active sessions')}>
      <QueryView query={query} loading={<LoadingRows rows={2} />}>
        {({ sessions }) =>
          sessions.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('No active sessions.')}
            </Text>
          ) : (
            <>
              <SessionsTable sessions={sessions} />
              <SignOutEverywhere user={user} hasCurrent={sessions.some(({ current }) => current)} />
            </>
          )
        }
      </QueryView>
    </Section>
  );
}
